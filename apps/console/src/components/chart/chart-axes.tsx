import { timeTickText, type Ticks } from './chart-scale.ts';

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
