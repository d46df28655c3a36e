import { CandidError, parseValues, type ServiceMethod } from '@cannery/candid';
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { type CallRecord } from '../../calls/call-record.ts';
import { durationText } from '../../shown-texts.ts';
import type { CopiedCall } from '../../copy/copied-call.ts';
import { CopyCallMenu } from './copy-call-menu.tsx';
import { FoldedText } from './folded-text.tsx';
import { OutcomeView } from './outcome-view.tsx';

/** This many calls are shown, and as many more with each press. */
const STEP = 20;

interface CallLogProps {
  /** Newest first. */
  readonly calls: readonly CallRecord[];
  readonly methods: readonly ServiceMethod[];
  readonly onClear: () => void;
  /** Makes a call once more with the same arguments. */
  readonly onRepeat: (method: ServiceMethod, args: string) => Promise<void>;
  /** A call as it is copied. @param caller principal; undefined for an anonymous call */
  readonly copied: (
    method: ServiceMethod,
    values: readonly unknown[],
    caller: string | undefined,
  ) => CopiedCall;
  /** Fills the arguments of a call into the form of its method. */
  readonly onEdit: (method: ServiceMethod, args: string) => void;
}

/** The calls of this canister made from this browser. */
export function CallLog({ calls, methods, onClear, onRepeat, copied, onEdit }: CallLogProps) {
  const [shown, setShown] = useState(STEP);
  const byName = useMemo(() => new Map(methods.map((method) => [method.name, method])), [methods]);
  const clear = calls.length > 0 && (
    <Button size="small" onClick={onClear}>
      Clear
    </Button>
  );
  return (
    <Card aria-label="History of calls">
      <CardHeader
        title="History of calls"
        note={calls.length > 0 ? String(calls.length) : undefined}
        actions={clear}
      />
      {calls.length === 0 ? (
        <p className="border-t border-line px-5 py-6 text-sm text-muted">
          Nothing called yet. Every call appears here with its arguments, its reply and its duration, and
          stays in this browser.
        </p>
      ) : (
        <ol className="border-t border-line">
          {calls.slice(0, shown).map((call) => (
            <li key={call.id} className="border-b border-line last:border-b-0">
              <CallEntry
                call={call}
                method={byName.get(call.method)}
                onRepeat={onRepeat}
                copied={copied}
                onEdit={onEdit}
              />
            </li>
          ))}
        </ol>
      )}
      {calls.length > shown && (
        <div className="border-t border-line px-5 py-3">
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show earlier calls
          </Button>
        </div>
      )}
    </Card>
  );
}

interface CallEntryProps extends Pick<CallLogProps, 'onRepeat' | 'copied' | 'onEdit'> {
  readonly call: CallRecord;
  /** The method by the interface as it is now; undefined when it is gone. */
  readonly method: ServiceMethod | undefined;
}

function CallEntry({ call, method, onRepeat, copied, onEdit }: CallEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { args } = call;
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 hover:bg-ink/3">
        <ChevronRight
          aria-hidden="true"
          className="size-4 text-muted transition-transform duration-100 group-open:rotate-90"
        />
        <time
          dateTime={call.startedAt.toISOString()}
          title={call.startedAt.toLocaleString('en-GB')}
          className="font-mono text-xs text-muted"
        >
          {momentText(call.startedAt)}
        </time>
        <span className="min-w-0 flex-1 truncate font-mono text-sm max-sm:order-last max-sm:basis-full">
          {call.method}
          <span className="text-muted">{call.argsLine}</span>
        </span>
        <span className="text-xs text-muted max-sm:ml-auto">{durationText(call.durationMs)}</span>
        <OutcomeChip call={call} />
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-3 px-5 pb-4 sm:pl-12">
          <div className="overflow-hidden rounded-control border border-line">
            <FoldedText label="Called" text={`${call.method}${args ?? call.argsLine}`} />
          </div>
          <OutcomeView call={call} types={method?.results ?? []} />
          <div className="flex flex-wrap items-center gap-2">
            {method !== undefined && args !== undefined && (
              <>
                <Button
                  size="small"
                  busy={isBusy}
                  onClick={async () => {
                    setBusy(true);
                    await onRepeat(method, args);
                    setBusy(false);
                  }}
                >
                  Call again
                </Button>
                <Button size="small" variant="ghost" onClick={() => onEdit(method, args)}>
                  Edit and call
                </Button>
                <CopyCallMenu
                  call={() => readBack(method, args, (values) => copied(method, values, call.caller))}
                />
              </>
            )}
            <span className="ml-auto min-w-0 text-xs break-all text-muted">
              {call.caller === undefined ? 'Anonymous' : `As ${call.caller}`}
            </span>
          </div>
        </div>
      )}
    </details>
  );
}

/** Undefined for arguments that the interface, as it is now, does not take. */
function readBack(
  { args: types }: ServiceMethod,
  args: string,
  use: (values: unknown[]) => CopiedCall,
): CopiedCall | undefined {
  try {
    return use(parseValues(args, types));
  } catch (error) {
    if (error instanceof CandidError) return undefined;
    throw error;
  }
}

function OutcomeChip({ call: { outcome } }: { call: CallRecord }) {
  if (outcome.kind === 'error') return <Chip tone="bad">{outcome.error.errorCode ?? 'Error'}</Chip>;
  return <Chip tone="ok">{outcome.kind === 'sent' ? 'Sent' : 'Reply'}</Chip>;
}

/** The time, with the day before it unless it is today. */
function momentText(moment: Date): string {
  const time = moment.toLocaleTimeString('en-GB');
  if (moment.toDateString() === new Date().toDateString()) return time;
  return `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
