import { ChevronRight } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { type CallRecord, durationText } from '../call-record.ts';
import { OutcomeView } from './outcome-view.tsx';

interface CallLogProps {
  /** Newest first. */
  readonly calls: readonly CallRecord[];
  readonly onClear: () => void;
}

/** The calls made since the page was opened. */
export function CallLog({ calls, onClear }: CallLogProps) {
  const clear = calls.length > 0 && (
    <Button size="small" onClick={onClear}>
      Clear
    </Button>
  );
  return (
    <Card aria-label="Calls of this session">
      <CardHeader
        title="Calls of this session"
        note={calls.length > 0 ? String(calls.length) : undefined}
        actions={clear}
      />
      {calls.length === 0 ? (
        <p className="border-t border-line px-5 py-6 text-sm text-muted">
          Nothing called yet. Every call appears here with its arguments, its reply and its duration.
        </p>
      ) : (
        <ol className="border-t border-line">
          {calls.map((call) => (
            <li key={call.id} className="border-b border-line last:border-b-0">
              <CallEntry call={call} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function CallEntry({ call }: { call: CallRecord }) {
  const { method, args, argsLine, outcome, durationMs, startedAt } = call;
  const isReply = outcome.kind === 'reply';
  return (
    <details className="group">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 hover:bg-ink/3">
        <ChevronRight
          aria-hidden="true"
          className="size-4 text-muted transition-transform duration-100 group-open:rotate-90"
        />
        <time dateTime={startedAt.toISOString()} className="font-mono text-xs text-muted">
          {startedAt.toLocaleTimeString('en-GB')}
        </time>
        <span className="min-w-0 flex-1 truncate font-mono text-sm">
          {method}
          <span className="text-muted">{argsLine}</span>
        </span>
        <span className="text-xs text-muted">{durationText(durationMs)}</span>
        <Chip tone={isReply ? 'ok' : 'bad'}>
          {isReply ? (outcome.text === undefined ? 'Sent' : 'Reply') : (outcome.error.errorCode ?? 'Error')}
        </Chip>
      </summary>
      <div className="flex flex-col gap-3 px-5 pb-4 sm:pl-12">
        <pre className="max-h-60 overflow-auto font-mono text-sm break-words whitespace-pre-wrap text-muted">
          {method}
          {args}
        </pre>
        <OutcomeView outcome={outcome} durationMs={durationMs} />
      </div>
    </details>
  );
}
