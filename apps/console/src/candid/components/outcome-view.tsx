import { Check, TriangleAlert } from 'lucide-react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { type CallOutcome, durationText } from '../call-record.ts';
import type { ExplainedError } from '../explain-error.ts';

interface OutcomeViewProps {
  readonly outcome: CallOutcome;
  readonly durationMs: number;
}

/** The reply or the error of a call. */
export function OutcomeView({ outcome, durationMs }: OutcomeViewProps) {
  if (outcome.kind === 'error') return <ErrorView error={outcome.error} durationMs={durationMs} />;
  return (
    <div className="overflow-hidden rounded-control border border-line bg-sunken">
      <div className="flex h-9 items-center gap-2 border-b border-line pr-1 pl-3 text-sm">
        <Check className="size-4 text-ok" aria-hidden="true" />
        <span className="font-medium">{outcome.text === undefined ? 'Sent' : 'Reply'}</span>
        <span className="text-muted">{durationText(durationMs)}</span>
        <span className="ml-auto">
          {outcome.text !== undefined && <CopyButton text={outcome.text} label="Copy reply" />}
        </span>
      </div>
      {outcome.text === undefined ? (
        <p className="px-3 py-2 text-sm text-muted">
          The network took the call. A oneway method gives no reply.
        </p>
      ) : (
        <pre
          tabIndex={0}
          aria-label="Reply"
          className="max-h-96 overflow-auto px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap"
        >
          {outcome.text}
        </pre>
      )}
    </div>
  );
}

function ErrorView({ error, durationMs }: { error: ExplainedError; durationMs: number }) {
  const facts = [
    ['Reject code', error.rejectCode],
    ['Error code', error.errorCode],
  ] as const;
  return (
    <div className="overflow-hidden rounded-control border border-bad/40 bg-bad-soft">
      <div className="flex min-h-9 items-center gap-2 py-1 pr-1 pl-3 text-sm">
        <TriangleAlert className="size-4 shrink-0 text-bad" aria-hidden="true" />
        <span className="font-medium text-bad">{error.title}</span>
        <span className="whitespace-nowrap text-ink/75">{durationText(durationMs)}</span>
        <span className="ml-auto">
          <CopyButton text={error.detail} label="Copy error details" />
        </span>
      </div>
      <div className="flex flex-col gap-2 px-3 pb-3 text-sm">
        <p className="max-h-60 overflow-auto font-mono break-words whitespace-pre-wrap">{error.message}</p>
        <p>{error.nextStep}</p>
        {error.rejectCode !== undefined && (
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
            {facts.map(
              ([name, value]) =>
                value !== undefined && (
                  <div key={name} className="flex gap-1.5">
                    <dt className="text-ink/75">{name}</dt>
                    <dd className="font-mono">{value}</dd>
                  </div>
                ),
            )}
          </dl>
        )}
      </div>
    </div>
  );
}
