import type { CanisterLogRecord } from '@cannery/contract';
import { Fragment, memo } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { MAX_LINE_LENGTH, splitAnsi } from '../../../lib/text/ansi.ts';
import { ago, logTime } from '../../../lib/text/formats.ts';

/** A text with every place marked that matches a search, whatever its case. */
function FoundText({ text, search }: { text: string; search: string }) {
  if (search === '') return text;
  const parts: { text: string; found: boolean; at: number }[] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push({ text: text.slice(from, at), found: false, at: from });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), found: true, at });
  }
  parts.push({ text: text.slice(from), found: false, at: from });
  return parts.map((part) =>
    part.found ? (
      <mark key={part.at} className="rounded-xs bg-(--ansi-yellow) text-log">
        {part.text}
      </mark>
    ) : (
      <Fragment key={`-${part.at}`}>{part.text}</Fragment>
    ),
  );
}

/** What the network writes in front of the error that ended a message. */
const TRAP = '[TRAP]';

interface LogRecordProps {
  readonly record: CanisterLogRecord;
  readonly search: string;
}

/** One record: its moment, and the text without what would hide or colour parts of it. */
export const LogRecord = memo(function LogRecord({ record, search }: LogRecordProps) {
  const { content, timestamp } = record;
  const lines = content.slice(0, MAX_LINE_LENGTH).split('\n');
  const text = lines
    .map((line) =>
      splitAnsi(line)
        .map((span) => span.text)
        .join(''),
    )
    .join('\n');
  return (
    <li className="flex gap-x-4 px-4 py-0.5 [contain-intrinsic-size:auto_24px] [content-visibility:auto] hover:bg-log-line/60 max-sm:flex-col">
      <time dateTime={timestamp} title={ago(timestamp)} className="shrink-0 text-log-muted">
        {logTime(timestamp)}
      </time>
      <span
        className={classNames(
          'min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap',
          content.startsWith(TRAP) && 'text-(--ansi-red)',
        )}
      >
        <FoundText text={text} search={search} />
        {content.length > MAX_LINE_LENGTH && ' …'}
      </span>
    </li>
  );
});
