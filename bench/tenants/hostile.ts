// One tenant at full rate: `node hostile.ts <address of the console>`, told by its parent when to start and to stop.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, git, pushFolder, signIn } from '@cannery/dev-env';
import { fileURLToPath } from 'node:url';

const REPOSITORIES = 31;
/** Loops of each kind that run at the same time. */
const CALLING = 10;
const UPLOADING = 4;
const CLONING = 4;
const UPLOAD_BYTES = 2 * 1024 * 1024;
/** A call that waits longer is given up and made again, in milliseconds. */
const PATIENCE_MS = 10_000;

const url = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'cannery-hostile-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// Without its parent nobody would ever tell it to stop.
process.once('disconnect', () => process.exit());
const eve = createApi(url, await signIn(url, 'eve'));
for (let made = 0; made < REPOSITORIES; made += 1) {
  await eve.call('POST', '/repository/templates/static-site', {});
}
const { secret } = await eve.call<{ secret: string }>('POST', '/repository/tokens', { label: 'x' });
const { id: deployId } = await eve.call<{ id: string }>('POST', '/deploy', {
  name: 'x',
  branch: 'main',
  owner: 'eve',
  repo_name: 'static-site',
  deploy_type: 'STATIC_SITE',
  is_public: false,
  build_command: 'node build.mjs',
  publish_directory: 'dist',
});
const created = await eve.call<{ data: { canister_id: string } }>('POST', '/canister/create', { name: 'x' });
const canisterId = created.data.canister_id;
const junk = randomBytes(UPLOAD_BYTES);
const remote = (name: string): string =>
  new URL(`/eve/${name}.git`, url.replace('://', `://x:${secret}@`)).href;
const template = fileURLToPath(new URL('../../examples/static-site', import.meta.url));

const call = (method: string, path: string, body?: unknown) => async (): Promise<void> => {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
};

let pushes = 0;
const kinds: readonly (readonly [number, () => Promise<unknown>])[] = [
  [CALLING, call('GET', '/deploy/repos')],
  [CALLING, call('POST', '/deploy/branches', { owner: 'eve', repo: 'static-site' })],
  [CALLING, call('GET', '/canister/list/')],
  [CALLING, call('GET', `/statuslogs/${canisterId}`)],
  [CALLING, call('POST', `/deploy/${deployId}/trigger`, {})],
  [UPLOADING, () => eve.upload('/document/upload', 'wasm', { name: 'x.wasm', bytes: Uint8Array.from(junk) })],
  [
    CLONING,
    async () => {
      const target = mkdtempSync(join(folder, 'clone-'));
      await git(['clone', '-q', remote('static-site'), target], folder);
      rmSync(target, { recursive: true, force: true });
    },
  ],
  [
    1,
    () => {
      pushes += 1;
      const name = `pushed-${pushes % 4}`;
      return pushFolder({ productUrl: url, api: eve, folder: template, owner: 'eve', name, message: 'x' });
    },
  ],
];

let running: { stopped: boolean; ended: Promise<unknown> } | undefined;
process.on('message', (message) => {
  if (message === 'start') running ??= start();
  else void stop();
});
process.send?.('ready');

function start(): { stopped: boolean; ended: Promise<unknown> } {
  const state = { stopped: false, ended: Promise.resolve() as Promise<unknown> };
  const loop = async (work: () => Promise<unknown>): Promise<void> => {
    while (!state.stopped) await work().catch(() => undefined);
  };
  state.ended = Promise.all(
    kinds.flatMap(([count, work]) => Array.from({ length: count }, () => loop(work))),
  );
  return state;
}

async function stop(): Promise<void> {
  if (running === undefined) return;
  running.stopped = true;
  // A clone or an upload that hangs does nothing more to anybody.
  await Promise.race([running.ended, delay(PATIENCE_MS, undefined, { ref: false })]);
  running = undefined;
  process.send?.('stopped');
}
