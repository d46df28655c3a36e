import type { CanisterLogRecord } from '@cannery/contract';
import { memo } from 'react';
import { MAX_LINE_LENGTH, splitAnsi } from '../../../lib/text/ansi.ts';
import { classNames } from '../../../lib/class-names.ts';
import { ago, logTime } from '../../../lib/text/formats.ts';
import { FoundText } from './found-text.tsx';

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
