import { memo, type MouseEvent } from 'react';
import { splitAnsi, type AnsiColour, type AnsiSpan } from '../../../lib/text/ansi.ts';
import { classNames } from '../../../lib/class-names.ts';
import { lineTone, type LineTone } from './line-tone.ts';
import { markFound } from './log-marks.ts';
import { plainText } from './log-model.ts';

const colours: Record<AnsiColour, string> = {
  black: 'text-(--ansi-black)',
  red: 'text-(--ansi-red)',
  green: 'text-(--ansi-green)',
  yellow: 'text-(--ansi-yellow)',
  blue: 'text-(--ansi-blue)',
  magenta: 'text-(--ansi-magenta)',
  cyan: 'text-(--ansi-cyan)',
  white: 'text-(--ansi-white)',
};

/** The log is dark in every theme, so its tones are colours of the log's own palette. */
const tones: Record<LineTone, string> = {
  step: 'font-semibold text-(--ansi-blue)',
  failure: 'font-semibold text-(--ansi-red)',
  error: 'text-(--ansi-red)',
  warning: 'text-(--ansi-yellow)',
  plain: '',
};
const edges: Partial<Record<LineTone, string>> = {
  failure: 'border-(--ansi-red)',
  error: 'border-(--ansi-red)',
  warning: 'border-(--ansi-yellow)',
};

/** How a line is shown besides its text. */
export interface LineLook {
  readonly wraps: boolean;
  readonly showsTime: boolean;
  /** Text that is marked wherever it is. */
  readonly search: string;
}

interface LogLineProps {
  readonly line: string;
  readonly number: number;
  readonly at: number | null;
  readonly look: LineLook;
  /** The line that the page's address or the search is at. */
  readonly isCurrent: boolean;
  readonly href: string;
  readonly onLink: (number: number) => void;
}

const two = (value: number): string => String(value).padStart(2, '0');

function timeText(at: number | null): string {
  if (at === null) return '';
  const time = new Date(at);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function Span({ span, search }: { span: AnsiSpan; search: string }) {
  return (
    <span
      className={classNames(
        span.colour && colours[span.colour],
        span.bold && 'font-semibold',
        span.dim && 'opacity-70',
      )}
    >
      {markFound(span.text, search).map((part) =>
        part.found ? (
          <mark key={part.at} className="rounded-xs bg-(--ansi-yellow) text-log">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}

/** One line of a log; its number and time are drawn by the style sheet, so that copying takes the text only. */
export const LogLine = memo(function LogLine({
  line,
  number,
  at,
  look,
  isCurrent,
  href,
  onLink,
}: LogLineProps) {
  const tone = lineTone(plainText(line));
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onLink(number);
  };
  return (
    <div
      data-current={isCurrent || undefined}
      className={classNames(
        'flex border-l-2 pr-4 pl-1.5 hover:bg-log-line/60 sm:pl-3',
        edges[tone] ?? 'border-transparent',
        isCurrent && 'bg-(--ansi-blue)/18',
      )}
    >
      <a
        href={href}
        onClick={follow}
        tabIndex={-1}
        aria-label={`Line ${number}`}
        data-number={number}
        className="w-9 shrink-0 pr-2 text-right whitespace-nowrap text-log-muted select-none before:content-[attr(data-number)] hover:text-log-ink hover:underline sm:w-12 sm:pr-3"
      />
      {look.showsTime && (
        <span
          aria-hidden="true"
          data-time={timeText(at)}
          className="w-26 shrink-0 pr-3 whitespace-nowrap text-log-muted select-none before:content-[attr(data-time)]"
        />
      )}
      <span
        data-tone={tone}
        className={classNames(
          'min-w-0 flex-1',
          look.wraps ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre',
          tones[tone],
        )}
      >
        {splitAnsi(line).map((span, index) => (
          // Lines never change once written, so a span keeps its place.
          <Span key={index} span={span} search={look.search} />
        ))}
        {line === '' && '\n'}
      </span>
    </div>
  );
});
