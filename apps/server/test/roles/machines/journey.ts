import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createApi, git, signIn } from '@cannery/dev-env';

const LONGEST_RUN_MS = 120_000;

/** A user signs in through the proxy, pushes a site over TLS, deploys it, opens it at its address, and signs out. @throws Error where one fails */
export async function journey(options: {
  console: string;
  user: string;
  folder: string;
  say: (line: string) => void;
}): Promise<void> {
  const { console: url, user, folder, say } = options;
  const start = performance.now();
  const api = createApi(url, await signIn(url, user));
  const text = randomUUID();
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), text);
  await git(['init', '-q', '-b', 'main'], folder);
  await git(['add', '-A'], folder);
  await git(['commit', '-q', '-m', 'A page'], folder);
  const { secret } = await api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'git' });
  const repository = `site-${text.slice(0, 8)}`;
  const remote = new URL(`/${user}/${repository}.git`, url);
  remote.username = user;
  remote.password = secret;
  const ca = { GIT_SSL_CAINFO: process.env['NODE_EXTRA_CA_CERTS'], GIT_TERMINAL_PROMPT: '0' };
  await promisify(execFile)('git', ['push', '-q', remote.href, 'main'], {
    cwd: folder,
    env: { ...process.env, ...ca },
  });
  const source = { owner: user, repo_name: repository, branch: 'main', publish_directory: '' };
  const { id } = await api.call<{ id: string }>('POST', '/deploy', { name: repository, ...source });
  const run = await api.call<{ id: string }>('POST', `/deploy/${id}/trigger`, {});
  for (const end = Date.now() + LONGEST_RUN_MS; ; await sleep(200)) {
    const found = await api.call<{ status: string; logs: string }>(
      'GET',
      `/deploy/${id}/instances/${run.id}`,
    );
    if (found.status === 'COMPLETED') break;
    if (found.status === 'FAILED' || Date.now() > end)
      throw new Error(`The run is ${found.status}: ${found.logs}`);
  }
  const { canisters } = await api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const page = await read(`${canisters[0]}.sites.example.com`, new URL(url).hostname);
  if (page !== text) throw new Error(`The site serves ${page}`);
  await api.call('POST', '/auth/logout', {});
  const { status } = await api.request('GET', '/user/profile');
  if (status !== 401) throw new Error(`A session that has ended is answered ${status}.`);
  say(
    `${user}: signed in, pushed, deployed, opened and signed out in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

/** A page of a site: at the proxy's address, under its name. */
function read(host: string, at: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: at, servername: host, path: '/', headers: { host } }, (answer) => {
      let text = '';
      answer.on('data', (piece: Buffer) => (text += piece.toString()));
      answer.once('end', () => resolve(text)).once('error', reject);
    });
    asked.once('error', reject).end();
  });
}
