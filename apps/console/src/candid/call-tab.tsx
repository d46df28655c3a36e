import { useMemo } from 'react';
import { api } from '../lib/api/api.ts';
import { CanisterPage } from './canister-page.tsx';
import { sendByConsole } from './calls/send-by-console.ts';

interface CallTabProps {
  readonly canisterId: string;
  /** Principal of the console; undefined while it is not known, or where the service cannot call. */
  readonly consolePrincipal: string | undefined;
  /** Hash of the canister's code; null while it is empty. */
  readonly moduleHash: string | null;
}

/** The methods of a canister on its page in the console, where the console itself can call as well. */
export function CallTab({ canisterId, consolePrincipal: principal, moduleHash }: CallTabProps) {
  const caller = useMemo(
    () => (principal === undefined ? undefined : { principal, send: sendByConsole(api, canisterId) }),
    [principal, canisterId],
  );
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <CanisterPage id={canisterId} host={undefined} controller={caller} moduleHash={moduleHash} isPart />
    </div>
  );
}
