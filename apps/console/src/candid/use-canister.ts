import { CandidError, type ParsedService, parseService } from '@cannery/candid';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { useEffect, useState } from 'react';
import { type ExplainedError, explainError } from './calls/explain-error.ts';
import { connect, type Network } from './connect.ts';
import { type CanisterFacts, loadCanister, readCandid } from './load-canister.ts';

/** How far the page has come with its canister. */
type CanisterLoad =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly error: ExplainedError }
  | { readonly phase: 'absent'; readonly network: Network }
  | { readonly phase: 'loaded'; readonly network: Network; readonly facts: CanisterFacts };

async function readCanister(
  id: string,
  host: string | undefined,
  signal: AbortSignal,
): Promise<CanisterLoad> {
  try {
    const network = await connect(host, signal);
    const facts = await loadCanister(network.agentOf(), id);
    return facts ? { phase: 'loaded', network, facts } : { phase: 'absent', network };
  } catch (error) {
    return { phase: 'failed', error: explainError(error) };
  }
}

/**
 * Connects to the network and reads the facts of a canister; `reload` does it again.
 * @param moduleHash what the page around knows of its code: when that changes the facts are read again, and the old ones stay until then
 */
export function useCanister(
  id: string,
  host: string | undefined,
  moduleHash: string | null | undefined,
): { readonly load: CanisterLoad; readonly reload: () => void } {
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ round: number; load: CanisterLoad }>();

  useEffect(() => {
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      const load = await readCanister(id, host, abort.signal);
      if (!abort.signal.aborted) setAnswer({ round, load });
    };
    void run();
    return () => abort.abort();
  }, [id, host, round, moduleHash]);

  const load = answer?.round === round ? answer.load : ({ phase: 'loading' } as const);
  return { load, reload: () => setRound(round + 1) };
}

/** The interface in a .did text, or what is wrong with the text. */
export function readInterface(did: string): { service: ParsedService } | { problem: CandidError } {
  try {
    return { service: parseService(did) };
  } catch (error) {
    if (error instanceof CandidError) return { problem: error };
    throw error;
  }
}

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
