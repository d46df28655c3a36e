import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Api, createApi, git, type Product, signIn, startProduct } from '@cannery/dev-env';
import { BUILD_UID } from '../../apps/server/src/builders/process/build-user.ts';
import { findToolchain } from '../../apps/server/src/builders/sandbox/toolchain.ts';
import { readStream, type StreamedLine } from '../../apps/server/test/support/event-reader.ts';
import { quantile, ratios, type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';
import { startBusySessions } from './busy-sessions.ts';
import { type ViteProject, writeViteProject } from './vite-project.ts';

const execute = promisify(execFile);

const ROUNDS = 4;
/** Pairs of a redeploy and the same by hand: each of them has to be quicker. */
const PAIRS = 7;
const PLAIN_FILES = 50;
const OWNER = 'bench';

/** From the request for a run to the new page at the site's address, next to the same steps by hand. */
export const deploys: Section = {
  title: 'Deploys',
  async run(report) {
    // Git, npm, the sandbox and the server share the cores, as on a user's machine.
    useAllCores();
    // `BENCH_LOAD=10 npm run bench -- deploys`: beside ten programs that never wait.
    using _ = startBusySessions(Number(process.env.BENCH_LOAD ?? 0));
    const work = mkdtempSync(join(tmpdir(), 'cannery-bench-'));
    const product = await startProduct({ env: { RATE_LIMIT: '100000' } });
    try {
      const host = await signedIn(product);
      await viteSite(host, work, report);
      await plainSite(host, work, report);
    } finally {
      await product.dispose();
      rmSync(work, { recursive: true, force: true });
    }
  },
};

type Report = Parameters<Section['run']>[0];

/** A product with a user who can push and deploy. */
interface Host {
  readonly product: Product;
  readonly api: Api;
  readonly secret: string;
}

async function signedIn(product: Product): Promise<Host> {
  const api = createApi(product.url, await signIn(product.url, OWNER));
  const { secret } = await api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'bench' });
  return { product, api, secret };
}

async function viteSite(host: Host, work: string, report: Report): Promise<void> {
  const { npm } = await findToolchain(process.env);
  const script = join(npm, 'bin', 'npm-cli.js');
  const folder = join(work, 'vite');
  mkdirSync(folder);
  const project = await writeViteProject(folder, script);
  const push = await repository(host, folder, 'vite');
  await push();
  const id = await createDeploy(host, 'vite', project.command, project.published);
  const firstLines: number[] = [];
  let round = 0;

  const floor = await byHand(work, script);
  const deployed = async (change: (text: string) => void): Promise<number> => {
    round += 1;
    const text = `round ${round}`;
    change(text);
    await push();
    const run = await deploy(host, id);
    firstLines.push(run.firstLineMs);
    const { page } = await siteOf(host, id);
    const address = /src="(\/assets\/[^"]+\.js)"/.exec(await page('/'))?.[1] ?? '';
    if (!(await page(address)).includes(text)) throw new Error('The new page is not live.');
    return run.ms;
  };

  const first = await ratios(() => deployed((text) => changeAll(project, text)), floor, ROUNDS);
  report({
    what: 'first deploy of a Vite site over clone, npm ci, build and copy by hand',
    unit: 'x',
    spread: first.ratio,
    goal: { atMost: 1.15 },
    control: first.control,
    note: `${first.ours.median.toFixed(0)} against ${first.floor.median.toFixed(0)} ms; ${first.each.map((one) => one.toFixed(2)).join(', ')}; load average ${loadavg()[0]?.toFixed(1)}`,
  });
  const again = await ratios(() => deployed((text) => project.changeSource(text)), floor, PAIRS);
  report({
    what: 'its redeploy after a change of the source, over the same',
    unit: 'x',
    spread: again.ratio,
    goal: { atMost: 0.8 },
    control: again.control,
    note: `${again.ours.median.toFixed(0)} against ${again.floor.median.toFixed(0)} ms`,
  });
  report({
    what: `the slowest of ${PAIRS} such redeploys, over the same beside it`,
    unit: 'x',
    spread: spreadOf([Math.max(...again.each)]),
    goal: { atMost: 0.8 },
    note: `${again.each.map((one) => one.toFixed(2)).join(', ')}; load average ${loadavg()[0]?.toFixed(1)}`,
  });
  report({
    what: 'request for a run to the first line of its log, 95th percentile',
    unit: 'ms',
    spread: { ...spreadOf(firstLines), median: quantile(firstLines, 0.95), high: quantile(firstLines, 0.95) },
    goal: { atMost: 300 },
  });
}

function changeAll(project: ViteProject, text: string): void {
  project.changeSource(text);
  project.changeLock(`1.0.${text.replace(/\D/g, '')}`);
}

/** Steps by hand, as a user without rights: root's npm also sets the owner of every file, which builds do not. */
async function byHand(work: string, npm: string): Promise<() => Promise<number>> {
  const home = join(work, 'hand');
  const folder = join(home, 'checkout');
  mkdirSync(home);
  // The repository belongs to who runs this.
  writeFileSync(join(home, '.gitconfig'), '[safe]\n\tdirectory = *\n');
  chmodSync(work, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(home, BUILD_UID, BUILD_UID);
  const user = isRoot
    ? ['setpriv', '--reuid', String(BUILD_UID), '--regid', String(BUILD_UID), '--clear-groups']
    : [];
  const env = {
    ...process.env,
    HOME: home,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_registry: await registryOf(npm),
    CI: 'true',
  };
  const run = (cwd: string, ...command: string[]) => {
    const [file = '', ...args] = [...user, ...command];
    return execute(file, args, { cwd, env });
  };
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    const start = performance.now();
    const from = `file://${join(work, 'vite.git')}`;
    await run(home, 'git', 'clone', '-q', '--depth', '1', from, folder);
    await run(folder, process.execPath, npm, 'ci', '--no-audit', '--no-fund');
    await run(folder, process.execPath, npm, 'run', 'build');
    await run(folder, 'cp', '-r', 'dist', 'published');
    return performance.now() - start;
  };
}

/** The registry that npm has on this machine, which the settings of another user need not name. */
async function registryOf(npm: string): Promise<string> {
  const { stdout } = await execute(process.execPath, [npm, 'config', 'get', 'registry']);
  return stdout.trim();
}

async function plainSite(host: Host, work: string, report: Report): Promise<void> {
  const folder = join(work, 'plain');
  for (let place = 0; place < PLAIN_FILES; place += 1) {
    const file = join(folder, place === 0 ? 'index.html' : `page-${place}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `<title>${place}</title>${'<p>Peaches in cans</p>'.repeat(100)}`);
  }
  const push = await repository(host, folder, 'plain');
  await push();
  const changed: number[] = [];
  const unchanged: number[] = [];
  let sent = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const id = await createDeploy(host, 'plain', '', '');
    const first = await deploy(host, id);
    const second = await deploy(host, id);
    const { page } = await siteOf(host, id);
    if (!(await page('/page-7.html')).includes('<title>7</title>')) throw new Error('The page is not live.');
    if (!second.lines.some(({ text }) => text.startsWith(`0 files new or changed, ${PLAIN_FILES} unchanged`)))
      sent += 1;
    if (round === 0) continue;
    changed.push(first.ms);
    unchanged.push(second.ms / first.ms);
  }
  report({
    what: `request for the first run of ${PLAIN_FILES} plain files to its end, canister created and filled`,
    unit: 'ms',
    spread: spreadOf(changed),
    goal: { atMost: 800 },
  });
  report({
    what: 'an unchanged redeploy of them over the first run',
    unit: 'x',
    spread: spreadOf(unchanged),
    goal: { atMost: 0.5 },
  });
  report({
    what: 'unchanged redeploys that sent anything',
    unit: 'runs',
    spread: spreadOf([sent]),
    goal: { atMost: 0 },
  });
}

/** Makes a folder a repository at the product's host and as a bare one beside it. @returns what commits and pushes */
async function repository(host: Host, folder: string, name: string): Promise<() => Promise<void>> {
  const bare = `${folder}.git`;
  await git(['init', '-q', '--bare', '-b', 'main', bare], folder);
  await git(['init', '-q', '-b', 'main'], folder);
  const remote = new URL(`/${OWNER}/${name}.git`, host.product.url);
  remote.username = OWNER;
  remote.password = host.secret;
  return async () => {
    await git(['add', '-A'], folder);
    await git(['commit', '-q', '-m', 'Change the page'], folder);
    for (const to of [bare, remote.href]) await git(['push', '-q', to, 'main'], folder);
  };
}

async function createDeploy(
  { api }: Host,
  repository: string,
  buildCommand: string,
  publishDirectory: string,
): Promise<string> {
  const { id } = await api.call<{ id: string }>('POST', '/deploy', {
    name: repository,
    branch: 'main',
    owner: OWNER,
    repo_name: repository,
    deploy_type: 'STATIC_SITE',
    build_command: buildCommand,
    publish_directory: publishDirectory,
  });
  return id;
}

interface Run {
  /** From the request to the end of the run. */
  readonly ms: number;
  readonly firstLineMs: number;
  readonly lines: readonly StreamedLine[];
}

/** @throws Error with the log when the run fails */
async function deploy({ product, api }: Host, id: string): Promise<Run> {
  const start = performance.now();
  const startedAt = Date.now();
  const { id: instanceId } = await api.call<{ id: string }>('POST', `/deploy/${id}/trigger`);
  const log = await readStream(product, api, { id, instanceId });
  await log.over;
  const ms = performance.now() - start;
  const { lines } = log;
  if (log.end?.status !== 'COMPLETED') throw new Error(lines.map(({ text }) => text).join('\n'));
  return { ms, firstLineMs: (lines[0]?.arrivedAt ?? Infinity) - startedAt, lines };
}

/** How the pages of a deploy's site are read. */
async function siteOf({ product, api }: Host, id: string): Promise<{ page(path: string): Promise<string> }> {
  const { canisters } = await api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const [canisterId = ''] = canisters;
  return {
    async page(path) {
      const address = new URL(path, product.networkUrl);
      address.searchParams.set('canisterId', canisterId);
      return (await fetch(address)).text();
    },
  };
}
