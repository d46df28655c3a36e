import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { createApi, signIn } from '@cannery/dev-env';
import { startFleet } from '../../apps/server/test/roles/fleet.ts';
import { cpuMsOf } from '../cpu-of.ts';
import { ratios, type Section } from '../figures.ts';
import { useAllCores } from '../pinned.ts';

const SECONDS = 6;
/** Connections of each of the two clients. */
const CONNECTIONS = 8;
/** Requests a second at each process: less than it can serve, so that the machine has time for what is measured. */
const RATE = 80;
const CANISTERS = 30;
/** What an open console asks for again and again. */
const PATHS = ['/user/profile', '/canister/list/', '/deploy', '/transactions/?limit=20'];
const ENV = { RATE_LIMIT: '1000000', SITE_PICTURES: 'off', RUST_TOOLCHAIN: 'off', SAMPLE_PRODUCTS: 'off' };

/** One process of the API, and the session of its user. */
interface Api {
  readonly url: string;
  readonly token: string;
  /** @throws Error where it does not run */
  pid(): number;
}

interface Product extends AsyncDisposable {
  readonly apis: readonly [Api, Api];
}

/**
 * Two processes of the API of one product, against one process of each of two products: the same number of processes and of requests, so that
 * the difference is what it costs to share the database, the network and the user.
 */
export const apis: Section = {
  title: 'Two processes of the API',
  async run(report) {
    useAllCores();
    await using shared = await startFilled();
    await using other = await startFilled();
    const [first, second] = shared.apis;
    const [apart] = other.apis;
    const cpu = await ratios(
      async () => (await load([first, second], RATE)).cpuMicros,
      async () => (await load([first, apart], RATE)).cpuMicros,
    );
    report({
      what: 'CPU of the API for a request: two processes of one product over one of each of two',
      unit: 'x',
      spread: cpu.ratio,
      goal: { atMost: 1.1 },
      control: cpu.control,
      note: `${Math.round(cpu.ours.median)} against ${Math.round(cpu.floor.median)} us, ${RATE} requests a second each`,
    });
    const full = await ratios(
      async () => (await load([first, second])).perSecond,
      async () => (await load([first, first])).perSecond,
    );
    report({
      what: 'requests a second of two over one, at full rate, with client, database and network on the same cores',
      unit: 'x',
      spread: full.ratio,
      control: full.control,
      note: `${Math.round(full.ours.median)} against ${Math.round(full.floor.median)}, ${cpus().length} cores`,
    });
  },
};

async function startFilled(): Promise<Product> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'cannery-bench-apis-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const fleet = await startFleet({ folder, env: ENV });
  started.defer(() => fleet.close());
  const token = await signIn(fleet.url, 'ada');
  const ada = createApi(fleet.url, token);
  for (let count = 0; count < CANISTERS; count += 1) await ada.call('POST', '/canister/create', {});
  const api = (place: 0 | 1): Api => ({
    url: fleet.apiUrl(place),
    token,
    pid: () => {
      const pid = fleet.members[`api-${place}`].pid();
      if (pid === undefined) throw new Error('A process of the API has ended.');
      return pid;
    },
  });
  const stack = started.move();
  return { apis: [api(0), api(1)], [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/**
 * Two clients at once, each at one process of the API.
 * @param rate requests a second of each; as many as there can be where it is not given
 * @returns requests a second of both, and CPU of the processes for one
 */
async function load(
  places: readonly [Api, Api],
  rate?: number,
): Promise<{ perSecond: number; cpuMicros: number }> {
  const pids = [...new Set(places.map((api) => api.pid()))];
  const used = (): number => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const before = used();
  const results = await Promise.all(
    places.map(({ url, token }) =>
      autocannon({
        url,
        connections: CONNECTIONS,
        duration: SECONDS,
        ...(rate !== undefined && { overallRate: rate }),
        headers: { authorization: `Bearer ${token}` },
        requests: PATHS.map((path) => ({ method: 'GET', path: `/api${path}` })),
      }),
    ),
  );
  const cpuMs = used() - before;
  for (const { errors, non2xx } of results)
    if (errors + non2xx > 0) throw new Error(`${errors} requests failed, ${non2xx} were refused.`);
  const count = results.reduce((sum, { requests }) => sum + requests.total, 0);
  return { perSecond: count / SECONDS, cpuMicros: (cpuMs * 1000) / count };
}
