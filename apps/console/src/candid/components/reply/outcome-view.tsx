import type { IDL } from '@icp-sdk/core/candid';
import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { type CallRecord } from '../../calls/call-record.ts';
import { bytesText, durationText } from '../../shown-texts.ts';
import type { ExplainedError } from '../../calls/explain-error.ts';
import { FoldedText } from './folded-text.tsx';
import { ReplyView } from './reply-view.tsx';
import { cyclesExact } from '../../../lib/text/cycles.ts';

interface OutcomeViewProps {
  readonly call: CallRecord;
  /** What the method replies with by the interface; none when the interface no longer has it. */
  readonly types: readonly IDL.Type[];
}

/** The reply or the error of a call, with what it took. */
export function OutcomeView({ call, types }: OutcomeViewProps) {
  const { outcome } = call;
  const measures = <Measures call={call} />;
  switch (outcome.kind) {
    case 'error':
      return <ErrorView error={outcome.error} measures={measures} />;
    case 'reply':
      return <ReplyView bytes={outcome.bytes} types={types} measures={measures} />;
    case 'sent':
      return (
        <Note title="Sent" measures={measures}>
          The network took the call. A oneway method gives no reply.
        </Note>
      );
    case 'cut':
      return (
        <Note title="Reply" measures={measures}>
          {`It had ${bytesText(outcome.length)}, too many to be kept here. Call again to see it.`}
        </Note>
      );
  }
}

/** How long a call took and, where it is known, what it cost the canister. */
function Measures({ call }: { call: CallRecord }) {
  return (
    <>
      <span className="text-ink/75">{durationText(call.durationMs)}</span>
      {call.cycles !== undefined && (
        <span
          title="The canister’s balance before the call less the one after it. It includes calls that ran at the same time."
          className="text-ink/75"
        >
          {`${cyclesExact(call.cycles.toString())} cycles`}
        </span>
      )}
    </>
  );
}

interface NoteProps {
  readonly title: string;
  readonly measures: ReactNode;
  readonly children: ReactNode;
}

function Note({ title, measures, children }: NoteProps) {
  return (
    <div className="overflow-hidden rounded-control border border-line bg-sunken">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 border-b border-line px-3 py-1 text-sm">
        <Check className="size-4 text-ok" aria-hidden="true" />
        <span className="font-medium">{title}</span>
        {measures}
      </div>
      <p className="px-3 py-2 text-sm text-muted">{children}</p>
    </div>
  );
}

function ErrorView({ error, measures }: { error: ExplainedError; measures: ReactNode }) {
  const facts = [
    ['Reject code', error.rejectCode],
    ['Error code', error.errorCode],
  ] as const;
  return (
    <div className="overflow-hidden rounded-control border border-bad/40 bg-bad-soft">
      <div className="flex min-h-10 items-start py-1 pr-1 pl-3 text-sm">
        <TriangleAlert className="mt-2 mr-2 size-4 shrink-0 text-bad" aria-hidden="true" />
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-2 py-1.5">
          <span className="font-medium text-bad">{error.title}</span>
          {measures}
        </span>
        <CopyButton text={error.detail} label="Copy error details" />
      </div>
      <FoldedText label="Message" text={error.message} className="max-h-60" />
      <div className="flex flex-col gap-2 px-3 pt-2 pb-3 text-sm">
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
