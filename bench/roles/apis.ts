import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { signIn, createApi } from '@cannery/dev-env';
import { type Fleet, startFleet } from '../../apps/server/test/roles/fleet.ts';
import { cpuMsOf } from '../cpu-of.ts';
import { ratios, type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';

const SECONDS = 5;
/** Connections of each of the two clients. */
const CONNECTIONS = 8;
const CANISTERS = 30;
/** What an open console asks for again and again. */
const PATHS = ['/user/profile', '/canister/list/', '/deploy', '/transactions/?limit=20'];

/** The same load on one process of the API, and on two; everything else of the product runs beside them. */
export const apis: Section = {
  title: 'Two processes of the API',
  async run(report) {
    useAllCores();
    const folder = mkdtempSync(join(tmpdir(), 'cannery-bench-apis-'));
    const fleet = await startFleet({
      folder,
      env: { RATE_LIMIT: '1000000', SITE_PICTURES: 'off', RUST_TOOLCHAIN: 'off', SAMPLE_PRODUCTS: 'off' },
    });
    try {
      const token = await signIn(fleet.url, 'ada');
      const ada = createApi(fleet.url, token);
      for (let count = 0; count < CANISTERS; count += 1) await ada.call('POST', '/canister/create', {});
      const rates: { readonly one: number[]; readonly two: number[] } = { one: [], two: [] };
      const measure = async (kind: 'one' | 'two'): Promise<number> => {
        const { perSecond, cpuMicros } = await load(fleet, token, kind === 'one' ? [0, 0] : [0, 1]);
        rates[kind].push(perSecond);
        return cpuMicros;
      };
      const { ratio, control, ours, floor } = await ratios(
        () => measure('two'),
        () => measure('one'),
      );
      report({
        what: 'CPU of the API for a request, two processes over one',
        unit: 'x',
        spread: ratio,
        goal: { atMost: 1.1 },
        control,
        note: `${Math.round(ours.median)} against ${Math.round(floor.median)} us`,
      });
      report({ what: 'requests a second of one process', unit: '1/s', spread: spreadOf(rates.one) });
      report({ what: 'requests a second of two', unit: '1/s', spread: spreadOf(rates.two) });
    } finally {
      await fleet.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Two clients at once, each at one of the two processes. @returns requests a second, and CPU of both processes for one */
async function load(
  fleet: Fleet,
  token: string,
  places: readonly (0 | 1)[],
): Promise<{ perSecond: number; cpuMicros: number }> {
  const processes = [fleet.members['api-0'], fleet.members['api-1']].map((member) => member.pid() ?? 0);
  const used = (): number => processes.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  const before = used();
  const results = await Promise.all(
    places.map((place) =>
      autocannon({
        url: fleet.apiUrl(place),
        connections: CONNECTIONS,
        duration: SECONDS,
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
