import { memo } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { splitAnsi, type AnsiColour } from '../../lib/ansi.ts';

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

/** One line of a log; its number is drawn by the style sheet, so that copying takes the text only. */
export const LogLine = memo(function LogLine({ line, number }: { line: string; number: number }) {
  return (
    <div className="flex px-4 hover:bg-log-line/60">
      <span
        aria-hidden="true"
        data-number={number}
        className="w-9 shrink-0 pr-3 text-right text-log-muted select-none before:content-[attr(data-number)]"
      />
      <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">
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
