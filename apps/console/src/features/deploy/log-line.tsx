import { memo } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { splitAnsi, type AnsiColour } from '../../lib/ansi.ts';
import { lineTone, type LineTone } from './line-tone.ts';

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
  warning: 'text-(--ansi-yellow)',
  plain: '',
};

/** One line of a log; its number is drawn by the style sheet, so that copying takes the text only. */
export const LogLine = memo(function LogLine({ line, number }: { line: string; number: number }) {
  const tone = lineTone(line);
  return (
    <div className="flex px-4 hover:bg-log-line/60">
      <span
        aria-hidden="true"
        data-number={number}
        className="w-9 shrink-0 pr-3 text-right text-log-muted select-none before:content-[attr(data-number)]"
      />
      <span
        data-tone={tone}
        className={classNames('min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap', tones[tone])}
      >
        {splitAnsi(line).map((span, index) => (
          <span
            // Lines never change once written, so a span keeps its place.
            key={index}
            className={classNames(
              span.colour && colours[span.colour],
              span.bold && 'font-semibold',
              span.dim && 'opacity-70',
            )}
          >
            {span.text}
          </span>
        ))}
        {line === '' && '\n'}
      </span>
    </div>
  );
});
