import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { signIn, createApi } from '@cannery/dev-env';
import { type Fleet, startFleet } from '../../apps/server/test/roles/fleet.ts';
import { cpuMsOf } from '../cpu-of.ts';
import { ratios, type Section } from '../figures.ts';
import { useAllCores } from '../pinned.ts';

const SECONDS = 6;
/** Connections of each of the two clients. */
const CONNECTIONS = 8;
/** Requests a second of both together: less than one process can, so that the machine has time for what is measured. */
const RATE = 160;
const CANISTERS = 30;
/** What an open console asks for again and again. */
const PATHS = ['/user/profile', '/canister/list/', '/deploy', '/transactions/?limit=20'];

type Place = 0 | 1;
/** Where the two clients send their requests. */
const ONE: readonly Place[] = [0, 0];
const TWO: readonly Place[] = [0, 1];

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
      const cpuMicros = async (places: readonly Place[]): Promise<number> =>
        (await load(fleet, token, { places, rate: RATE })).cpuMicros;
      const { ratio, control, ours, floor } = await ratios(
        () => cpuMicros(TWO),
        () => cpuMicros(ONE),
      );
      report({
        what: 'CPU of the API for a request, two processes over one',
        unit: 'x',
        spread: ratio,
        goal: { atMost: 1.1 },
        control,
        note: `${Math.round(ours.median)} against ${Math.round(floor.median)} us, ${RATE} requests a second`,
      });
      const perSecond = async (places: readonly Place[]): Promise<number> =>
        (await load(fleet, token, { places })).perSecond;
      const full = await ratios(
        () => perSecond(TWO),
        () => perSecond(ONE),
      );
      report({
        what: 'requests a second of two over one, at full rate, with client, database and network on the same cores',
        unit: 'x',
        spread: full.ratio,
        control: full.control,
        note: `${Math.round(full.ours.median)} against ${Math.round(full.floor.median)}, ${cpus().length} cores`,
      });
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
  { places, rate }: { readonly places: readonly Place[]; readonly rate?: number },
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
        ...(rate !== undefined && { overallRate: rate / places.length }),
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
