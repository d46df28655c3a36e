import type { CSSProperties } from 'react';
import { ago, tableDate } from '../../lib/text/formats.ts';
import type { ChartMark, ChartPoint } from './chart-scale.ts';

const momentOf = (at: number): string => new Date(at).toISOString();

/** A reading as one sentence, for screen readers. */
export function readingText(point: ChartPoint | undefined): string {
  if (point === undefined) return '';
  const moment = momentOf(point.at);
  return `${point.text}, ${tableDate(moment)}, ${ago(moment)}`;
}

interface ChartReadingProps {
  readonly point: ChartPoint;
  /** What happened since the reading before. */
  readonly happened: readonly ChartMark[];
  readonly style: CSSProperties;
}

/** The exact value and moment of the reading that is pointed at. */
export function ChartReading({ point, happened, style }: ChartReadingProps) {
  const moment = momentOf(point.at);
  return (
    <div
      aria-hidden="true"
      data-reading
      style={style}
      className="pointer-events-none absolute top-0 rounded-control bg-ink px-2.5 py-1.5 text-xs whitespace-nowrap text-page shadow-float"
    >
      <p className="font-semibold">{point.text}</p>
      <p>{tableDate(moment)}</p>
      <p>{ago(moment)}</p>
      {happened.map(({ at, text }) => (
        <p key={`${at} ${text}`} className="font-medium">
          {text}
        </p>
      ))}
    </div>
  );
}
