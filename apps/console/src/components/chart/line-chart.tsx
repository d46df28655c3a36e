import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useWidth } from '../../lib/browser/use-size.ts';
import { ChartAxes, ChartReading, readingText } from './chart-marks.tsx';
import {
  type ChartMark,
  type ChartPoint,
  linePath,
  nearestIndex,
  timeTicks,
  valueRange,
  valueTicks,
} from './chart-scale.ts';

interface LineChartProps {
  /** Accessible name. */
  readonly label: string;
  /** At least two, oldest first. */
  readonly points: readonly ChartPoint[];
  readonly marks?: readonly ChartMark[];
  /** A value not to fall below; drawn when it is in sight. */
  readonly limit?: { readonly value: number; readonly text: string };
  /** The time that the axis shows, in milliseconds since 1970; the last value holds until its end. */
  readonly shown: { readonly from: number; readonly to: number };
  readonly tickText: (value: number, axis: { step: number; top: number }) => string;
}

const HEIGHT = 208;
const TOP = 10;
const BOTTOM = HEIGHT - 26;
const RIGHT = 14;
/** Width of a sign of the axis labels, and the least distance of labels of time, in pixels. */
const SIGN = 7;
const TIME_LABEL = 84;
/** The widest a reading gets, in pixels. */
const READING_WIDTH = 184;
/** How far PageUp and PageDown go. */
const PAGE = 10;

/** A balance over time: each value holds until the next one. Pointer, finger and arrow keys read off single values. */
export function LineChart(props: LineChartProps) {
  const { label, points, marks = [], limit, shown: axis, tickText } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const { from, to } = axis;
  const [low, high] = valueRange(points.map(({ value }) => value));
  const amounts = valueTicks(low, high, 5);
  const labels = amounts.values.map((value) => tickText(value, { step: amounts.step, top: high }));
  const left = Math.max(...labels.map((text) => text.length)) * SIGN + 10;
  const span = Math.max(1, width - left - RIGHT);
  const place = {
    x: (at: number) => left + ((at - from) / Math.max(1, to - from)) * span,
    y: (value: number) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP),
  };
  const times = timeTicks(from, to, Math.floor(span / TIME_LABEL));
  const last = points.length - 1;
  const shown = Math.min(active ?? last, last);
  const point = active === undefined ? undefined : points[shown];

  const read = (event: PointerEvent<HTMLElement>): void => {
    const offset = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    setActive(nearestIndex(points, from + (offset / span) * (to - from)));
  };
  const press = (event: KeyboardEvent): void => {
    const moves: Partial<Record<string, number>> = {
      ArrowLeft: shown - 1,
      ArrowDown: shown - 1,
      ArrowRight: shown + 1,
      ArrowUp: shown + 1,
      PageDown: shown - PAGE,
      PageUp: shown + PAGE,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.min(last, Math.max(0, next)));
  };

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={shown + 1}
      aria-valuetext={readingText(points[shown])}
      onPointerMove={read}
      onPointerDown={read}
      onPointerLeave={() => setActive(undefined)}
      onKeyDown={press}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(last)}
      onBlur={() => setActive(undefined)}
      className="relative touch-pan-y rounded-control select-none"
      style={{ height: HEIGHT }}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true" className="block overflow-visible">
          <ChartAxes
            amounts={amounts.values.map((value, tick) => ({ y: place.y(value), text: labels[tick] ?? '' }))}
            times={times}
            x={place.x}
            left={left}
            right={left + span}
            bottom={BOTTOM}
          />
          {marks.map(({ at, text }) => (
            <g key={`${at} ${text}`} data-mark={text} className="stroke-ok">
              <line x1={place.x(at)} x2={place.x(at)} y1={TOP} y2={BOTTOM} strokeDasharray="2 3" />
              <path d={`M${place.x(at) - 4.5} ${BOTTOM}h9l-4.5 -7z`} className="fill-ok" />
            </g>
          ))}
          {limit && limit.value >= low && limit.value <= high && (
            <g className="stroke-warn">
              <line
                x1={left}
                x2={left + span}
                y1={place.y(limit.value)}
                y2={place.y(limit.value)}
                strokeDasharray="5 4"
              />
              <text
                x={left + span}
                y={place.y(limit.value) - 5}
                textAnchor="end"
                className="fill-warn stroke-none text-xs"
              >
                {limit.text}
              </text>
            </g>
          )}
          <path
            d={linePath(points, place, to)}
            fill="none"
            strokeWidth="2"
            strokeLinejoin="round"
            strokeLinecap="round"
            className="stroke-accent"
          />
          {point && (
            <g>
              <line
                x1={place.x(point.at)}
                x2={place.x(point.at)}
                y1={TOP}
                y2={BOTTOM}
                className="stroke-control"
              />
              <circle
                cx={place.x(point.at)}
                cy={place.y(point.value)}
                r="4.5"
                strokeWidth="2"
                className="fill-accent stroke-surface"
              />
            </g>
          )}
        </svg>
      )}
      {point && (
        <ChartReading
          point={point}
          happened={marks.filter(({ at }) => at <= point.at && at > (points[shown - 1]?.at ?? at))}
          style={
            place.x(point.at) > left + span / 2
              ? { right: width - place.x(point.at) + 10 }
              : { left: Math.max(0, Math.min(place.x(point.at) + 10, width - READING_WIDTH)) }
          }
        />
      )}
    </div>
  );
}
