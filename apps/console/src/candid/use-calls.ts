import type { ServiceMethod } from '@cannery/candid';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { useCallback, useRef, useState } from 'react';
import { callMethod } from './call-method.ts';
import type { CallOutcome, CallRecord } from './call-record.ts';
import { explainError } from './explain-error.ts';
import type { GivenArgs } from './form/read-args.ts';

/** Makes calls and keeps a record of each, newest first. */
export function useCalls(agent: HttpAgent, canisterId: string) {
  const [calls, setCalls] = useState<readonly CallRecord[]>([]);
  const lastId = useRef(0);

  const call = useCallback(
    async (method: ServiceMethod, args: GivenArgs): Promise<CallRecord> => {
      const startedAt = new Date();
      const start = performance.now();
      let outcome: CallOutcome;
      try {
        outcome = { kind: 'reply', text: await callMethod(agent, canisterId, method, args.values) };
      } catch (error) {
        outcome = { kind: 'error', error: explainError(error) };
      }
      const durationMs = performance.now() - start;
      const { name, mode } = method;
      const record: CallRecord = {
        id: ++lastId.current,
        method: name,
        mode,
        args: args.text,
        argsLine: args.line,
        startedAt,
        durationMs,
        outcome,
      };
      setCalls((before) => [record, ...before]);
      return record;
    },
    [agent, canisterId],
  );

  return { calls, call, clear: () => setCalls([]) };
}
