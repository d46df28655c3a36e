import type { Api } from '@cannery/dev-env';
import { quantile, ratios, type Section } from '../figures.ts';
import { startListed, texts } from './listed-product.ts';

const FEW = 100;
const MANY = 10_000;
/** Calls of one sample, spread over all orders; fewer make a 99th percentile of two or three calls, which is chance. */
const CALLS = 960;
const ROUNDS = 5;
const PAGE = 25;

const registryOrders = ['created', 'name', 'identifier', 'id'].flatMap((by) =>
  ['asc', 'desc'].map((direction) => `by=${by}&direction=${direction}`),
);
const dappOrders = ['newest', 'installs', 'rating', 'name'].map((sort) => `sort=${sort}`);

/** What is asked for of a list, apart from its order. */
const asked: Readonly<Record<string, string>> = {
  'first page': '',
  'search of a word that all have': `search=${texts.common}`,
  'search of a word that one in twenty has': `search=${texts.some}`,
  'search of a word that one in a hundred has': `search=${texts.rare}`,
  'search of a word that one has': `search=${texts.one}`,
  'search of a word that none has': `search=${texts.absent}`,
};

const lists = [
  { name: 'registries', path: '/registry/page', orders: registryOrders, more: {} },
  {
    name: 'dapps',
    path: '/marketplace/',
    orders: dappOrders,
    more: { 'first page of a kind': 'kind=tool', 'search in a kind': `kind=tool&search=${texts.rare}` },
  },
];

/** Whose calls, and their paths. */
type Calls = readonly [Api, readonly string[]];

/** How much longer a page of a list takes when the list is a hundred times as long. */
export const longLists: Section = {
  title: 'Lists',
  async run(report) {
    await using few = await startListed(FEW);
    await using many = await startListed(MANY);
    const compare = async (what: string, long: Calls, short: Calls): Promise<void> => {
      const { ratio, control, ours, floor } = await ratios(
        () => p99(...long),
        () => p99(...short),
        ROUNDS,
      );
      report({
        what: `${what}: p99 with ${MANY} against ${FEW}`,
        unit: 'x',
        spread: ratio,
        goal: { atMost: 1.5 },
        control,
        note: `${ours.median.toFixed(1)} against ${floor.median.toFixed(1)} ms`,
      });
    };
    const [ofFew, ofMany] = [await registriesOf(few.api), await registriesOf(many.api)];
    await compare('one registry', [many.api, ofMany], [few.api, ofFew]);
    for (const { name, path, orders, more } of lists) {
      for (const [what, query] of Object.entries({ ...asked, ...more })) {
        const paths = orders.map((order) => `${path}?${order}&limit=${PAGE}&${query}`);
        await compare(`${name}, ${what}, in each order`, [many.api, paths], [few.api, paths]);
      }
    }
  },
};

async function registriesOf(api: Api): Promise<string[]> {
  const path = `/registry/page?limit=${PAGE}`;
  const { registries } = await api.call<{ registries: { id: string }[] }>('GET', path);
  return registries.map(({ id }) => `/registry/${id}`);
}

async function p99(api: Api, paths: readonly string[]): Promise<number> {
  const samples: number[] = [];
  while (samples.length < CALLS) {
    for (const path of paths) {
      const start = performance.now();
      await api.call('GET', path);
      samples.push(performance.now() - start);
    }
  }
  return quantile(samples, 0.99);
}
