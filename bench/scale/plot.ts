import { type Curve, exponentOf } from './curves.ts';

const WIDTH = 960;
const PANEL = { top: 30, height: 330, gap: 70, left: 70, right: 390 } as const;
/** Told apart by people who do not see all colours (Okabe and Ito, 2008). */
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7f7f7f',
  '#a0522d',
] as const;

/** Curves as a picture: both axes are logarithmic, so that a power is a straight line. */
export function plotOf(curves: readonly Curve[]): string {
  const kinds = [
    ['request', 'Time of a request, ms'],
    ['bulk', 'Time of all of them, ms'],
  ] as const;
  const panels = kinds.map(([kind, title], place) =>
    panelOf(
      curves.filter((curve) => curve.kind === kind),
      title,
      PANEL.top + place * (PANEL.height + PANEL.gap),
    ),
  );
  const height = PANEL.top + kinds.length * (PANEL.height + PANEL.gap);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>text { fill: #333 } .grid { stroke: #ccc } .ground { fill: #fff } @media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } .ground { fill: #111 } }</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
${panels.join('\n')}
</svg>
`;
}

function panelOf(curves: readonly Curve[], title: string, top: number): string {
  const points = curves.flatMap((curve) => curve.points);
  const [x, xTicks] = axisOf(
    points.map(([count]) => count),
    (share) => PANEL.left + share * (WIDTH - PANEL.left - PANEL.right),
  );
  const [y, yTicks] = axisOf(
    points.map(([, ms]) => ms),
    (share) => top + (1 - share) * PANEL.height,
  );
  const right = WIDTH - PANEL.right;
  const grid = [
    ...yTicks.map(
      (tick) =>
        `<path class="grid" d="M${PANEL.left} ${y(tick)}H${right}"/><text x="${PANEL.left - 8}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
    ),
    ...xTicks.map(
      (tick) =>
        `<path class="grid" d="M${x(tick)} ${top}v${PANEL.height}"/><text x="${x(tick)}" y="${top + PANEL.height + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
    ),
  ];
  const lines = curves.map((curve, place) => {
    const colour = COLOURS[place % COLOURS.length];
    const dashes = place < COLOURS.length ? '' : ' stroke-dasharray="5 4"';
    const path = curve.points
      .map(([count, ms], at) => `${at === 0 ? 'M' : 'L'}${x(count)} ${y(ms)}`)
      .join('');
    const label = `${curve.thing}: ${curve.what} (${exponentOf(curve).toFixed(2)})`;
    const lineY = top + 8 + place * 18;
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>
<path d="M${right + 12} ${lineY}h18" stroke="${colour}" stroke-width="2"${dashes}/><text x="${right + 36}" y="${lineY + 4}">${label}</text>`;
  });
  return `<text x="${PANEL.left}" y="${top - 10}" font-weight="600">${title}</text>\n${[...grid, ...lines].join('\n')}`;
}

/** A logarithmic axis over whole powers of ten around some values: the place of a value, and its ticks. */
function axisOf(
  values: readonly number[],
  placeOf: (share: number) => number,
): [(value: number) => number, number[]] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: high - low + 1 }, (_, place) => Number(`1e${low + place}`));
  return [(value) => Math.round(placeOf((Math.log10(value) - low) / (high - low)) * 10) / 10, ticks];
}
