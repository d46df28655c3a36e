import type { ServiceMethod } from '@cannery/candid';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callMethod, type SendCall } from './call-method.ts';
import type { CallOutcome, CallRecord, NewCall } from './call-record.ts';
import { explainError, RefusedCallError } from './explain-error.ts';
import type { GivenArgs } from '../form/read-args.ts';
import { forgetCalls, keepCall, readCalls } from '../kept/call-history.ts';

/** What a call needs beside its method and arguments. */
export interface CallContext {
  readonly send: SendCall;
  /** The caller's principal; undefined for anonymous calls. */
  readonly caller: string | undefined;
  /** Reads the canister's balance; undefined for a caller whom the network does not tell it, or with whom the answer does. */
  readonly readBalance: (() => Promise<bigint | undefined>) | undefined;
  /** The network and the canister, under which the calls are kept. */
  readonly place: string;
}

async function makeCall(context: CallContext, method: ServiceMethod, args: GivenArgs): Promise<NewCall> {
  const { send, caller } = context;
  // Queries cost nothing, and a oneway call may not have run when it is taken.
  const readBalance = method.mode === 'update' ? context.readBalance : undefined;
  const before = await readBalance?.();
  const startedAt = new Date();
  const start = performance.now();
  let outcome: CallOutcome;
  let told: bigint | undefined;
  try {
    const { reply: bytes, cycles } = await callMethod(send, method, args.values);
    outcome = bytes ? { kind: 'reply', bytes } : { kind: 'sent' };
    told = cycles;
  } catch (error) {
    outcome = { kind: 'error', error: explainError(error) };
    if (error instanceof RefusedCallError) told = error.cycles;
  }
  const durationMs = performance.now() - start;
  const after = before === undefined ? undefined : await readBalance?.();
  const fell = before !== undefined && after !== undefined && after <= before ? before - after : undefined;
  const { name, mode } = method;
  return {
    method: name,
    mode,
    args: args.text,
    argsLine: args.line,
    caller,
    startedAt,
    durationMs,
    cycles: told ?? fell,
    outcome,
  };
}

/** Makes calls and keeps a record of each in this browser, newest first. */
export function useCalls(context: CallContext) {
  const { place } = context;
  const [calls, setCalls] = useState<readonly CallRecord[]>([]);
  // Calls the browser cannot keep count downwards, so that they never meet the ids of those it keeps.
  const unkept = useRef(0);

  useEffect(() => {
    let isGone = false;
    const read = async (): Promise<void> => {
      // A browser that keeps nothing shows the calls of this visit alone.
      const kept = await readCalls(place).catch(() => []);
      if (!isGone)
        setCalls((made) => [...made, ...kept.filter(({ id }) => made.every((one) => one.id !== id))]);
    };
    void read();
    return () => {
      isGone = true;
    };
  }, [place]);

  const call = useCallback(
    async (method: ServiceMethod, args: GivenArgs): Promise<CallRecord> => {
      const made = await makeCall(context, method, args);
      const id = await keepCall(context.place, made).catch(() => --unkept.current);
      const record: CallRecord = { ...made, id };
      setCalls((before) => [record, ...before]);
      return record;
    },
    [context],
  );

  const clear = async (): Promise<void> => {
    // The list is empty only when the browser has forgotten it, or whoever leaves the page at once finds it again.
    await forgetCalls(place).catch(() => undefined);
    setCalls([]);
  };
  return { calls, call, clear };
}
