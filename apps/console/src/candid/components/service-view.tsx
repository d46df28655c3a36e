import { type ParsedService, parseValues, type ServiceMethod } from '@cannery/candid';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import type { SendCall } from '../calls/call-method.ts';
import { type CallContext, useCalls } from '../calls/use-calls.ts';
import type { Network } from '../connect.ts';
import type { CopiedCall } from '../copy/copied-call.ts';
import { describeArgs } from '../form/read-args.ts';
import { readBalance } from '../load-canister.ts';
import { useSavedCalls } from '../saved/saved-calls.ts';
import { useMethodCards } from '../use-method-cards.ts';
import type { MethodActs } from './method/method-card.tsx';
import { MethodList } from './method/method-list.tsx';
import { CallLog } from './reply/call-log.tsx';
import { useGrowingText } from './reply/folded-text.tsx';
import { SavedCallsCard } from './saved-calls-card.tsx';

interface TypeDefinitionsProps {
  readonly service: ParsedService;
  /** The whole interface as the canister publishes it. */
  readonly did: string;
}

/** The whole .did text, and the named types the signatures mention. */
function TypeDefinitions({ service, did }: TypeDefinitionsProps) {
  const { shown, onScroll } = useGrowingText(did);
  return (
    <Card>
      <details className="group">
        <summary className="flex items-center gap-3 px-5 py-4 hover:bg-ink/3">
          <ChevronRight
            aria-hidden="true"
            className="size-4 text-muted transition-transform duration-100 group-open:rotate-90"
          />
          <span className="font-medium">Interface as text</span>
          {service.types.length > 0 && (
            <span className="text-sm text-muted">
              {service.types.length === 1 ? '1 named type' : `${service.types.length} named types`}
            </span>
          )}
        </summary>
        <div className="relative border-t border-line">
          <span className="absolute top-2 right-3">
            <CopyButton text={did} label="Copy interface" />
          </span>
          <pre
            tabIndex={0}
            aria-label="Interface as text"
            onScroll={onScroll}
            className="max-h-120 overflow-auto px-5 py-4 pr-14 font-mono text-sm"
          >
            {shown}
          </pre>
        </div>
      </details>
    </Card>
  );
}

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
