import { parseValues, type ParsedService, type ServiceMethod } from '@cannery/candid';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { useMemo } from 'react';
import type { Network } from '../connect.ts';
import { describeArgs } from '../form/read-args.ts';
import { type CallContext, useCalls } from '../use-calls.ts';
import { useMethodCards } from '../use-method-cards.ts';
import { CallLog } from './call-log.tsx';
import { MethodList } from './method-list.tsx';
import { TypeDefinitions } from './type-definitions.tsx';

interface ServiceViewProps {
  readonly network: Network;
  readonly agent: HttpAgent;
  readonly id: string;
  readonly service: ParsedService;
  readonly did: string;
  /** The caller's principal; undefined for anonymous calls. */
  readonly caller: string | undefined;
  readonly isController: boolean;
}

/** The methods of a canister, the calls made of them, and the whole interface as text. */
export function ServiceView({ network, agent, id, service, did, caller, isController }: ServiceViewProps) {
  const place = `${network.url} ${id}`;
  const context: CallContext = useMemo(
    () => ({ agent, canisterId: id, caller, isController, place }),
    [agent, id, caller, isController, place],
  );
  const { calls, call, clear } = useCalls(context);
  const cards = useMethodCards();

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

  return (
    <>
      <MethodList service={service} cards={cards} onCall={call} />
      <CallLog
        calls={calls}
        methods={service.methods}
        onClear={clear}
        onRepeat={repeat}
        onEdit={({ name }, args) => cards.open(name, args)}
      />
      <TypeDefinitions service={service} did={did} />
    </>
  );
}
