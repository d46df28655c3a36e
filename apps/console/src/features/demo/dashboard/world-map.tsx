import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
// Natural Earth's outlines, which are in the public domain.
import world from 'world-atlas/countries-110m.json';
import { orders } from './dashboard-content.ts';

const WIDTH = 720;
const HEIGHT = 372;
const ANTARCTICA = 'Antarctica';

interface Outline {
  readonly name: string;
  readonly path: string;
}

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;

function outlinesOf(): Outline[] {
  const atlas = world as unknown as Atlas;
  const { features } = feature(atlas, atlas.objects.countries);
  const shown = features.filter(({ properties }) => properties.name !== ANTARCTICA);
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], {
    type: 'FeatureCollection',
    features: shown,
  });
  const draw = geoPath(projection).digits(1);
  return shown.map((one) => ({ name: one.properties.name, path: draw(one) ?? '' }));
}

const outlines = outlinesOf();
const most = Math.max(...orders.map(({ count }) => count));

/** How much of the accent a country has: none without orders, all with the most. */
function strength(country: string): number {
  const count = orders.find((one) => one.country === country)?.count ?? 0;
  return count === 0 ? 0 : 0.35 + 0.65 * Math.sqrt(count / most);
}

/** The countries of the world, the darker the more was ordered there; the list beside it says the same. */
export function WorldMap() {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Map of orders by country"
      className="w-full"
    >
      {outlines.map(({ name, path }, place) => {
        const part = strength(name);
        return (
          <path
            key={`${name} ${place}`}
            d={path}
            data-country={part > 0 ? name : undefined}
            className={part > 0 ? 'fill-accent stroke-surface' : 'fill-ink/10 stroke-surface'}
            fillOpacity={part > 0 ? part : undefined}
            strokeWidth="0.6"
          >
            <title>{name}</title>
          </path>
        );
      })}
    </svg>
  );
}
