import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { assetCanisterWasm } from '../../canisters/assets/index.ts';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { type Figure, ratios, type Section, type Spread, spreadOf } from '../figures.ts';
import { upload } from './gateway.ts';
import { startNetwork } from './network-process.ts';
import { findNginx, startNginx } from './nginx.ts';
import { hasWrk, type Pressure, pressure } from './pressure.ts';

const KIBIBYTE = 1024;
const CONNECTIONS = 16;
const SECONDS = 2;
const P99_GOAL = 4;
/** Bytes of the files. */
const FILES = { 'small.bin': KIBIBYTE, 'middle.bin': 100 * KIBIBYTE };

/** What is compared; the goal is our share of what nginx answers. */
const KINDS: readonly {
  readonly what: string;
  readonly file: keyof typeof FILES;
  readonly known?: true;
  readonly goal: number;
}[] = [
  { what: '1 KiB page', file: 'small.bin', goal: 0.3 },
  { what: '100 KiB page', file: 'middle.bin', goal: 0.5 },
  { what: '304', file: 'small.bin', known: true, goal: 0.5 },
];

/** Certified pages of a site that many ask for, in turns with the same files from nginx: one core each. */
export const sites: Section = {
  title: 'Sites beside nginx',
  async run(report) {
    const program = findNginx();
    if (program === undefined) {
      console.log('nginx is not installed: skipped');
      return;
    }
    await using network = await startNetwork();
    const files = Object.entries(FILES).map(
      ([name, size]) => [name, new Uint8Array(size).fill(120)] as const,
    );
    await using nginx = await startNginx(program, Object.fromEntries(files));
    const agent = await connect(network.url, Ed25519KeyIdentity.generate());
    const canisterId = await deploy(agent, await assetCanisterWasm());
    for (const [name, { length }] of files) await upload(agent, canisterId, `/${name}`, length);
    const host = `${canisterId}.localhost:${new URL(network.url).port}`;

    for (const { what, file, known, goal } of KINDS) {
      const ours = await server(`${network.url}/${file}`, { Host: host }, known);
      const floor = await server(`${nginx.url}/${file}`, {}, known);
      const all = await ratios(ours.perSecond, floor.perSecond);
      const note = hasWrk ? undefined : 'by autocannon, which is slower than both';
      report({ what: `${what}, kept`, unit: '1/s', spread: all.ours });
      report(figure(`${what} against nginx`, all.ratio, { atLeast: goal }, all.control, note));
      const late = spreadOf(ratiosOf(ours.samples, floor.samples));
      report(figure(`${what}, 99th percentile against nginx`, late, { atMost: P99_GOAL }, all.control, note));
    }
    const { perSecond } = await server(`${network.url}/small.bin`, { Host: host, cookie: 'visitor=1' });
    const samples: number[] = [];
    for (let round = 0; round < 5; round += 1) samples.push(await perSecond());
    report({ what: '1 KiB page, not kept', unit: '1/s', spread: spreadOf(samples.slice(1)) });
  },
};

interface Measured {
  readonly samples: Pressure[];
  perSecond(): Promise<number>;
}

/** A page as it is asked for; `known`: by a client that has it. Throws unless it is answered as expected. */
async function server(url: string, headers: Record<string, string>, known?: true): Promise<Measured> {
  const { headers: told } = await expectStatus(url, headers, 200);
  const etag = told.get('etag') ?? '';
  const asked = known ? { ...headers, 'if-none-match': etag } : headers;
  await expectStatus(url, asked, known ? 304 : 200);
  const samples: Pressure[] = [];
  return {
    samples,
    async perSecond() {
      const sample = await pressure({ url, connections: CONNECTIONS, seconds: SECONDS, headers: asked });
      samples.push(sample);
      return sample.perSecond;
    },
  };
}

async function expectStatus(url: string, headers: Record<string, string>, status: number): Promise<Response> {
  // `fetch` sets the host by the address only, where the canister can be named as well.
  const { Host: host, ...others } = headers;
  const id = host?.split('.')[0];
  const response = await fetch(id === undefined ? url : `${url}?canisterId=${id}`, { headers: others });
  await response.arrayBuffer();
  if (response.status !== status) throw new Error(`${url} answered ${response.status}.`);
  return response;
}

/** Of each round but the first, which is not counted: the floor runs before and after ours. */
function ratiosOf(ours: readonly Pressure[], floor: readonly Pressure[]): number[] {
  return ours.slice(1).map(({ p99Millis }, round) => {
    const [before, after] = [floor[2 * round + 2], floor[2 * round + 3]];
    return (2 * p99Millis) / ((before?.p99Millis ?? 0) + (after?.p99Millis ?? 0));
  });
}

function figure(
  what: string,
  spread: Spread,
  goal: NonNullable<Figure['goal']>,
  control: Spread,
  note: string | undefined,
): Figure {
  return { what, unit: 'x', spread, goal, control, ...(note !== undefined && { note }) };
}
