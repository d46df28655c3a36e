import type { HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { useEffect, useState } from 'react';
import { type CanisterFacts, readCandid } from './load-canister.ts';

/**
 * The interface a canister publishes: to everyone or, where it is private, to the caller. Undefined when it publishes
 * none, and until the private one has been read.
 */
export function usePublished(
  agent: HttpAgent,
  { id, candid, moduleHash }: CanisterFacts,
  caller: string | undefined,
): string | undefined {
  const [own, setOwn] = useState<{ readonly agent: HttpAgent; readonly candid: string | undefined }>();
  const isPrivate = candid === undefined && moduleHash !== undefined && caller !== undefined;

  useEffect(() => {
    if (!isPrivate) return;
    let isGone = false;
    const read = async (): Promise<void> => {
      const found = await readCandid(agent, Principal.fromText(id)).catch(() => undefined);
      if (!isGone) setOwn({ agent, candid: found });
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [agent, id, isPrivate]);

  return candid ?? (own?.agent === agent ? own.candid : undefined);
}
