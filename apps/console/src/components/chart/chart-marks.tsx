import type { CSSProperties } from 'react';
import { ago, tableDate } from '../../lib/text/formats.ts';
import { type ChartMark, type ChartPoint, type Ticks, timeTickText } from './chart-scale.ts';

interface ChartAxesProps {
  /** Lines across, with what stands beside them. */
  readonly amounts: readonly { readonly y: number; readonly text: string }[];
  readonly times: Ticks;
  /** Where a moment is. */
  readonly x: (at: number) => number;
  /** Edges of the drawing, in pixels. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Grid lines and labels of a chart. */
export function ChartAxes({ amounts, times, x, left, right, bottom }: ChartAxesProps) {
  return (
    <g className="stroke-line">
      {amounts.map(({ y, text }) => (
        <g key={text}>
          <line x1={left} x2={right} y1={y} y2={y} />
          <text x={left - 8} y={y + 4} textAnchor="end" className="fill-muted stroke-none text-xs">
            {text}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom} y2={bottom} className="stroke-control" />
      {times.values.map((at) => (
        <g key={at}>
          <line x1={x(at)} x2={x(at)} y1={bottom} y2={bottom + 4} className="stroke-control" />
          <text x={x(at)} y={bottom + 18} textAnchor="middle" className="fill-muted stroke-none text-xs">
            {timeTickText(at, times.step)}
          </text>
        </g>
      ))}
    </g>
  );
}

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
