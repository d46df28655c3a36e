import { parseValues, type ParsedService, type ServiceMethod } from '@cannery/candid';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { useMemo } from 'react';
import type { SendCall } from '../calls/call-method.ts';
import type { Network } from '../connect.ts';
import type { CopiedCall } from '../copy/copied-call.ts';
import { describeArgs } from '../form/read-args.ts';
import { readBalance } from '../read-balance.ts';
import { useSavedCalls } from '../saved/use-saved-calls.ts';
import { type CallContext, useCalls } from '../calls/use-calls.ts';
import { useMethodCards } from '../use-method-cards.ts';
import { CallLog } from './reply/call-log.tsx';
import type { MethodActs } from './method/method-card.tsx';
import { MethodList } from './method/method-list.tsx';
import { SavedCallsCard } from './saved-calls-card.tsx';
import { TypeDefinitions } from './type-definitions.tsx';

interface ServiceViewProps {
  readonly network: Network;
  readonly agent: HttpAgent;
  readonly send: SendCall;
  readonly id: string;
  readonly service: ParsedService;
  readonly did: string;
  /** The caller's principal; undefined for anonymous calls. */
  readonly caller: string | undefined;
  /** Whether the network tells the caller the balance of the canister. */
  readonly readsBalance: boolean;
}

/** The methods of a canister, the calls made of them, and the whole interface as text. */
export function ServiceView({
  network,
  agent,
  send,
  id,
  service,
  did,
  caller,
  readsBalance,
}: ServiceViewProps) {
  const place = `${network.url} ${id}`;
  const context: CallContext = useMemo(
    () => ({ send, caller, readBalance: readsBalance ? () => readBalance(agent, id) : undefined, place }),
    [send, caller, readsBalance, agent, id, place],
  );
  const { calls, call, clear } = useCalls(context);
  const cards = useMethodCards();
  const saved = useSavedCalls(place);
  const copiedCall = (
    method: ServiceMethod,
    values: readonly unknown[],
    as: string | undefined,
  ): CopiedCall => ({
    canisterId: id,
    method,
    values,
    networkUrl: network.url,
    networkIsLocal: network.isLocal,
    caller: as,
  });

  const repeat = async (method: ServiceMethod, args: string): Promise<void> => {
    let values: unknown[];
    try {
      values = parseValues(args, method.args);
    } catch {
      // The interface has changed since: the form shows what no longer fits.
      cards.open(method.name, args);
      return;
    }
    await call(method, describeArgs(method.args, values));
  };

  const acts: MethodActs = {
    call,
    copied: (method, values) => copiedCall(method, values, caller),
    save: ({ name: method }, name, args) => saved.save({ name, method, args }),
  };

  return (
    <>
      <SavedCallsCard calls={saved} methods={service.methods} onOpen={cards.open} />
      <MethodList service={service} cards={cards} acts={acts} />
      <CallLog
        calls={calls}
        methods={service.methods}
        onClear={clear}
        onRepeat={repeat}
        copied={copiedCall}
        onEdit={({ name }, args) => cards.open(name, args)}
      />
      <TypeDefinitions service={service} did={did} />
    </>
  );
}
