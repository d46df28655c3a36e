// `npm run scale [-- --most 100000] [--write]`: how requests and whole lists take longer the more there is; with --write it
// keeps the table in docs/operations/scale.md and the picture beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Api, createApi, signIn, startProduct } from '@cannery/dev-env';
import { embeddedConnection } from '../../apps/server/src/db/postgres/embedded-postgres.ts';
import { quantile } from '../figures.ts';
import { type Curve, exponentOf, MOST } from './curves.ts';
import { plotOf } from './plot.ts';
import { siteCurves } from './sites.ts';
import * as things from './things.ts';

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '100000' },
    files: { type: 'string', default: '10000' },
    write: { type: 'boolean', default: false },
  },
});

const PAGE = fileURLToPath(new URL('../../docs/operations/scale.md', import.meta.url));
const PICTURE = fileURLToPath(new URL('../../docs/operations/scale.svg', import.meta.url));
const START = '<!-- figures -->';
/** Calls of one sample: the first are not counted. */
const CALLS = { request: { warm: 20, counted: 200 }, bulk: { warm: 1, counted: 7 } } as const;

/** Something whose time is measured after each filling. */
interface Measured {
  readonly what: string;
  readonly kind: Curve['kind'];
  readonly call: () => Promise<unknown>;
}

const RUNS_LOOKED_AT = 25;
const COUNTS = [100, 1_000, 10_000, 100_000];
const countsTo = (most: number): number[] => COUNTS.filter((count) => count <= most);

async function medianMs({ call, kind }: Measured): Promise<number> {
  const { warm, counted } = CALLS[kind];
  const samples: number[] = [];
  for (let at = 0; at < warm + counted; at += 1) {
    const start = performance.now();
    await call();
    if (at >= warm) samples.push(performance.now() - start);
  }
  return quantile(samples, 0.5);
}

const curves: Curve[] = [];

/** Fills a product step by step, and measures after each. */
async function grow(
  database: pg.Client,
  thing: things.Thing,
  measured: readonly Measured[],
  most = Number(values.most),
): Promise<void> {
  const points = measured.map((): [number, number][] => []);
  let before = 0;
  for (const count of countsTo(most)) {
    await thing.fill(database, before, count);
    before = count;
    for (const [place, one] of measured.entries()) points[place]?.push([count, await medianMs(one)]);
  }
  for (const [place, { what, kind }] of measured.entries()) {
    const curve: Curve = { thing: thing.name, what, kind, points: points[place] ?? [] };
    curves.push(curve);
    say(curve);
  }
}

function say(curve: Curve): void {
  const steps = curve.points.map(([, ms]) => ms.toPrecision(3)).join(', ');
  console.log(`${curve.thing}: ${curve.what}: ${steps} ms, exponent ${exponentOf(curve).toFixed(3)}`);
}

const get = (what: string, api: Api, path: string, kind: Curve['kind'] = 'request'): Measured => ({
  what,
  kind,
  call: () => api.call('GET', path),
});

const product = await startProduct({
  env: {
    RATE_LIMIT: '1000000',
    SIGN_IN_LIMIT: '1000',
    SITE_PICTURES: 'off',
    RUST_TOOLCHAIN: 'off',
    SAMPLE_PRODUCTS: 'off',
    WORKER: 'off',
    NETWORK_SERVICES: 'none',
  },
});
await using opened = new AsyncDisposableStack();
opened.defer(() => product.dispose());
const ada = createApi(product.url, await signIn(product.url, 'ada'));
const { id: adaId } = await ada.call<{ id: string }>('GET', '/user/profile');
const many = createApi(product.url, await signIn(product.url, 'many'));
const { id: manyId } = await many.call<{ id: string }>('GET', '/user/profile');
const canister = await createCanister(ada);
const canisterOfMany = await createCanister(many);
await ada.call('POST', '/repository/templates/static-site', {});
const source = { owner: 'ada', repo_name: 'static-site', branch: 'main' };
const deployOf = (name: string) => ada.call<{ id: string }>('POST', '/deploy', { ...source, name });
const [looked, triggered, filled] = [
  await deployOf('Looked at'),
  await deployOf('Triggered'),
  await deployOf('Filled'),
];
for (let count = 0; count < RUNS_LOOKED_AT; count += 1) await beginAndCancel(looked.id);

const database = new pg.Client(embeddedConnection(product.dataDir));
await database.connect();
let changes = 0;
const rename: Measured = {
  what: 'a canister is named again',
  kind: 'request',
  call: () => ada.call('POST', '/canister/rename', { canister_id: canister, name: `Name ${(changes += 1)}` }),
};
const topUp: Measured = {
  what: 'a canister is topped up',
  kind: 'request',
  call: () => topUpOf(ada, canister),
};
const profile = get('profile', ada, '/user/profile');
const canistersOfAda = get('canisters of a user', ada, '/canister/list/');
const deploysOfAda = get('deploys of a user', ada, '/deploy');
const trigger: Measured = {
  what: 'a run is begun and cancelled',
  kind: 'request',
  call: () => beginAndCancel(triggered.id),
};
await grow(database, things.users, [profile, rename]);
await grow(database, things.canisters, [
  canistersOfAda,
  get('status of a canister', ada, `/canister/status/${canister}`),
  rename,
  topUp,
]);
await grow(database, things.ownCanisters(manyId), [get('list', many, '/canister/list/', 'bulk')]);
await grow(database, things.deploys, [deploysOfAda]);
await grow(database, things.runs, [get('runs of a deploy', ada, `/deploy/${looked.id}/instances`), trigger]);
await grow(database, things.runsOf(filled.id, adaId), [
  get('its list, of 500 at most', ada, `/deploy/${filled.id}/instances`, 'bulk'),
]);
const run = `/deploy/${filled.id}/instances/scale-own-run-1`;
await grow(database, things.linesOf('scale-own-run-1'), [get('whole log', ada, run, 'bulk')]);
await grow(database, things.transactionsOf(manyId), [
  get('history, of 10,000 at most', many, '/transactions/', 'bulk'),
  { ...topUp, call: () => topUpOf(many, canisterOfMany) },
]);
await database.end();
for (const curve of await siteCurves(countsTo(Number(values.files)))) {
  curves.push(curve);
  say(curve);
}
const missed = curves.filter((curve) => exponentOf(curve) > MOST[curve.kind]);
console.log(`${curves.length} curves, ${missed.length} steeper than they may be`);
if (values.write) write();
process.exitCode = missed.length === 0 ? 0 : 1;

function topUpOf(api: Api, canister_id: string): Promise<unknown> {
  return api.call('POST', '/canister/topup', { canister_id, amount: 0.01 });
}

async function beginAndCancel(deploy: string): Promise<void> {
  const { id } = await ada.call<{ id: string }>('POST', `/deploy/${deploy}/trigger`, {});
  await ada.call('POST', `/deploy/${deploy}/instances/${id}/cancel`, {});
}

async function createCanister(api: Api): Promise<string> {
  const { data } = await api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {});
  return data.canister_id;
}

function write(): void {
  const head = readFileSync(PAGE, 'utf8').split(START)[0] ?? '';
  const rows = curves.map((curve) => {
    const cells = COUNTS.map(
      (wanted) => curve.points.find(([count]) => count === wanted)?.[1].toPrecision(3) ?? '',
    );
    const exponent = exponentOf(curve).toFixed(3);
    return `| ${curve.thing} | ${curve.what} | ${cells.join(' | ')} | ${exponent} | <= ${MOST[curve.kind]} |`;
  });
  const columns =
    '| There are many | What | 100 | 1,000 | 10,000 | 100,000 | Exponent | Goal |\n|---|---|---|---|---|---|---|---|';
  writeFileSync(PAGE, `${head}${START}\n\n${columns}\n${rows.join('\n')}\n`);
  writeFileSync(PICTURE, plotOf(curves));
}
