// `npm run probes [-- <part of a name> ...] [--from=<number>] [--write] [--list]`: attacks a running product in some hundred ways,
// one after the other, while another client makes ordinary calls, and says what each attack cost the product and that client. With
// --from it begins with a later attack; with --write the table is kept in docs/probes.md. Run it alone: what the machine does for
// others counts as delay.
import { writeFileSync } from 'node:fs';
import { constants, loadavg, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Api } from '@cannery/dev-env';
import { Attack, requestOf } from './attack.ts';
import { type Floor, NO_FLOOR } from './bare.ts';
import { PROBES } from './kinds/all.ts';
import { loopDelays } from './loop-delays.ts';
import { cellsOf, COLUMNS, LIMITS, type Measured, measured, problemsOf } from './measured.ts';
import { type Probe, PROBE_MILLIS } from './probe.ts';
import { page } from '../../packages/network/test/hostile/hostile-pages.ts';
import { Watched } from './watched.ts';
import { newUser, openWorld, type World } from './world.ts';

const TABLE = fileURLToPath(new URL('../../docs/probes.md', import.meta.url));
/** How long the product is measured without an attack, in milliseconds. */
const IDLE_MILLIS = 10_000;
/** A probe is watched for so long at least, in milliseconds. */
const LEAST_MILLIS = 1_000;
/** What a user has used up of a minute is there again when the turn comes round. */
const MOST_USERS = 40;
const users: Promise<Api>[] = [];
/** Between two probes, so that one does not pay for the other. */
const SETTLE_MILLIS = 400;
/** What an attack waits for on top of its time, such as the last answers, in milliseconds. */
const PATIENCE_MILLIS = 6_000;

const args = process.argv.slice(2);
const wanted = args.filter((each) => !each.startsWith('--'));
/** `--from=<number>` goes on behind a run that was broken off. */
const from = Number(args.find((each) => each.startsWith('--from='))?.slice('--from='.length) ?? 1);
const chosen = PROBES.slice(from - 1).filter(
  ({ name, at }) => wanted.length === 0 || wanted.some((part) => `${at}: ${name}`.includes(part)),
);
if (args.includes('--list')) {
  for (const { at, name } of PROBES) console.log(`${at}: ${name}`);
  console.log(`${PROBES.length} probes`);
  process.exit(0);
}
process.exit((await runAll()) ? 0 : 1);

async function runAll(): Promise<boolean> {
  await using world = await openWorld();
  // The product is in its own group of processes, and would go on.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      setTimeout(() => process.exit(1), 30_000).unref();
      await world[Symbol.asyncDispose]();
      process.exit(1);
    });
  }
  const watched = Watched.start(world.calls, world.pids);
  // The attacks give way to the product and to the client that is watched.
  setPriority(0, constants.priority.PRIORITY_LOW);
  await warmUp(world);
  const idle = await during(world, watched, () => delay(IDLE_MILLIS));
  const rows = [cellsOf('nothing', '', '', idle, idle, NO_FLOOR)];
  console.log(shown(rows[0] ?? []));
  const missed: string[] = [];
  for (const [index, probe] of chosen.entries()) {
    const first = await attackBy(probe, index, world, watched);
    // What a busy machine did does not come again.
    const isHeld = problemsOf(first.measured, idle).length === 0;
    const last = isHeld ? first : await attackBy(probe, index, world, watched);
    const isHeldAgain = problemsOf(last.measured, idle).length === 0;
    const floor = isHeldAgain ? NO_FLOOR : await floorOf(probe, index, world);
    const row = cellsOf(probe.name, probe.at, last.answers, last.measured, idle, floor);
    rows.push(row);
    console.log(
      `${index + 1}/${chosen.length} ${shown(row)}${isHeld ? '' : `  (first: ${problemsOf(first.measured, idle).join('; ')})`}`,
    );
    if (problemsOf(last.measured, idle, floor).length > 0) missed.push(probe.name);
  }
  const after = await during(world, watched, () => delay(IDLE_MILLIS));
  // What is kept of all of them would be seen here.
  rows.push(
    cellsOf('nothing, after all of these', '', '', { ...after, memoryBefore: idle.memory }, idle, NO_FLOOR),
  );
  console.log(shown(rows.at(-1) ?? []));
  watched.close();
  console.log(
    `\n${chosen.length} probes, ${missed.length} not held${missed.length > 0 ? `:\n${missed.join('\n')}` : ''}`,
  );
  if (args.includes('--write')) write(rows, missed.length);
  return missed.length === 0;
}

interface Outcome {
  readonly measured: Measured;
  readonly answers: string;
}

async function attackBy(probe: Probe, index: number, world: World, watched: Watched): Promise<Outcome> {
  const attack = attackOn(world.ports[probe.at], index, probe);
  const attacker = await (users[index % MOST_USERS] ??= newUser(world.product.url));
  const seen = await during(world, watched, () => carryOut(probe, attack, { ...world, attacker }));
  await delay(SETTLE_MILLIS);
  const { answers } = attack;
  // Whatever a stranger sends is no fault of the server.
  const wrong = ['500', 'reached'].filter((what) => answers.includes(`${what}: `));
  const failures = [...seen.failures, ...wrong.map((what) => `it was answered ${what}`)];
  return { measured: { ...seen, failures }, answers };
}

/** What the attack takes of a bare server. */
function floorOf(probe: Probe, index: number, world: World): Promise<Floor> {
  return world.bare.during(() => carryOut(probe, attackOn(world.bare.port, index, probe), world));
}

/** Each attacker has another address: what one is refused does not keep the next from trying. */
function attackOn(port: number, index: number, { millis = PROBE_MILLIS }: Probe): Attack {
  return new Attack(port, `127.1.${index >> 8}.${index & 255 || 255}`, millis);
}

async function carryOut(probe: Probe, attack: Attack, world: World): Promise<void> {
  const { name, millis = PROBE_MILLIS } = probe;
  const start = performance.now();
  const run = probe.run(attack, world).catch((error: unknown) => console.error(`${name}:`, error));
  await Promise.race([run, delay(millis + PATIENCE_MILLIS, undefined, { ref: false })]);
  attack.close();
  await delay(Math.max(0, start + LEAST_MILLIS - performance.now()));
}

async function during(world: World, watched: Watched, work: () => Promise<void>): Promise<Measured> {
  const { folder, pids } = world;
  await Promise.all([watched.begin(), loopDelays(folder, pids.server), loopDelays(folder, pids.network)]);
  await work();
  const [server, network] = await Promise.all([
    loopDelays(folder, pids.server),
    loopDelays(folder, pids.network),
  ]);
  return measured(await watched.end(), { server, network });
}

/** Ordinary use, so that all threads have started, what is loaded and compiled once is there, and heaps have their usual size. */
async function warmUp({ ports, scripted, eve, calls, agent, counter }: World): Promise<void> {
  await scripted.page(page([], new Uint8Array(1_800_000)));
  const visits = new Attack(ports.network, '127.0.0.1', 20_000);
  await visits.all([requestOf('GET /', { host: `${scripted.id}.raw.localhost:${ports.network}` })], 100, 4);
  for (const { port, method, path, headers, body } of calls) {
    const ordinary = new Attack(port, '127.0.0.1', 20_000);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const bytes = body === undefined ? {} : { body: Buffer.from(body, 'base64') };
    await ordinary.all(
      [requestOf(`${method} ${path}`, { headers: lines, ...bytes })],
      path.includes('/user/') ? 300 : 4_000,
      20,
    );
  }
  await Promise.all(
    Array.from({ length: 200 }, () => agent.update(counter, { methodName: 'inc', arg: new Uint8Array() })),
  );
  for (let count = 0; count < 5; count += 1) {
    await eve.upload('/document/upload', 'wasm', { name: 'x.wasm', bytes: new Uint8Array(2_000_000) });
  }
  await delay(3_000);
}

function shown(cells: readonly string[]): string {
  const [
    name = '',
    at = '',
    answers = '',
    server,
    network,
    other,
    onServer,
    onNetwork,
    late,
    calls,
    verdict,
  ] = cells;
  return `${verdict?.startsWith('held') ? 'held' : 'MISSED'} ${at} ${name} [${answers}] memory +${server}/+${network} other ${other}; works ${onServer}/${onNetwork} late ${late}; calls ${calls}; ${verdict}`;
}

function write(rows: readonly (readonly string[])[], missed: number): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = [line(COLUMNS), line(COLUMNS.map(() => '---'))];
  const text = `# Probes

\`npm run probes -- --write\` writes this table (decision 0081). Each row is an attack on a running product, beside a client that makes
ordinary calls every 15 ms. Allowed are ${LIMITS.memory} MiB over an idle process and over what it had before, ${LIMITS.stall} ms at a stretch of work in a thread that serves at
p99.9 (and what the row 'nothing' took), and no call of the other client without an answer. What goes beyond is tried on a bare Node
server as well, and its part is allowed: no server on Node can do without.

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, load average at the end ${loadavg()[0]?.toFixed(2)}: ${rows.length - 2} probes, ${missed} not held.

${[...head, ...rows.map(line)].join('\n')}
`;
  writeFileSync(TABLE, text);
}
