import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApi, git, type GitServer, pushFolder, signIn, startGitServer } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let outside: GitServer;
let client: DeployClient;
/** Commits of the library. */
let [older, newer] = ['', ''];

beforeAll(async () => {
  outside = await startGitServer();
  older = await outside.commit('flour/mill', { 'index.html': 'older flour', 'deep/er.txt': 'deep' });
  newer = await outside.commit('flour/mill', { 'index.html': 'newer flour' });
  client = await startDeployClient({
    env: { GIT_HOSTS: outside.host, EGRESS_PRIVATE_HOSTS: outside.host, GIT_CA_FILE: outside.caFile },
  });
}, 120_000);
afterAll(async () => {
  await client?.dispose();
  await outside?.close();
});

const entry = (name: string, path: string, url: string): string =>
  `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n`;

async function push(
  name: string,
  files: Record<string, string>,
  submodules: Record<string, string>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-submodules-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await pushFolder({
    productUrl: client.product.url,
    api: client.ada,
    folder,
    owner: 'ada',
    name,
    submodules,
  });
}

test('submodules of public repositories are built with, at their commits; the others are named with the reason', async () => {
  const absent = 'a'.repeat(40);
  await push(
    'bakery',
    {
      'index.html': 'bakery',
      '.gitmodules': [
        entry('mill', 'libs/mill', `${outside.url}/flour/mill.git`),
        entry('again', 'again', `${outside.url}/flour/mill`),
        entry('gone', 'gone', `${outside.url}/flour/mill.git`),
        entry('away', 'away', 'git@github.com:flour/mill.git'),
        entry('beside', 'beside', '../mill.git'),
        entry('local', 'local', '/etc'),
        entry('program', 'program', 'ext::sh -c touch% pwned'),
        entry('upward', '../upward', `${outside.url}/flour/mill.git`),
        '[include]\n\tpath = /etc/passwd\n',
      ].join(''),
    },
    {
      'libs/mill': older,
      again: newer,
      gone: absent,
      away: older,
      beside: older,
      local: older,
      program: older,
      unnamed: older,
    },
  );
  const id = await client.create('bakery', 'STATIC_SITE');
  const { status, logs } = await client.run(id);
  const log = logs ?? '';
  expect(status, log).toBe('COMPLETED');
  expect(log).toContain(`Submodule libs/mill: ${older.slice(0, 7)} of ${outside.url}/flour/mill.git`);
  expect(log).toContain(`Submodule again: ${newer.slice(0, 7)} of ${outside.url}/flour/mill`);
  expect(log).toMatch(/The submodule gone is not fetched: .{20}/);
  // What is written in the way of ssh is asked for by https.
  expect(log).toContain(
    'The submodule away is not fetched: Repositories of github.com cannot be deployed here.',
  );
  expect(log).toContain('The submodule beside is not fetched: you have no such repository here.');
  expect(log).toMatch(/The submodule program is not fetched: .*not the address of a repository/);
  expect(log).toMatch(/The submodule local is not fetched: .*not the address of a repository/);
  expect(log).toContain('The submodule unnamed is not fetched: .gitmodules does not say where it is.');
  expect(log).not.toMatch(/upward|root:/);
  const page = async (path: string): Promise<string> => (await client.page(id, path)).text;
  expect(await page('/libs/mill/index.html')).toBe('older flour');
  expect(await page('/libs/mill/deep/er.txt')).toBe('deep');
  expect(await page('/again/index.html')).toBe('newer flour');
}, 120_000);

test('those of this console are taken from repositories of the same user, and of nobody else', async () => {
  const newestOf = async (owner: string, name: string): Promise<string> => {
    const gitDir = join(client.product.dataDir, 'git', owner, `${name}.git`);
    return (await git(['rev-parse', 'main'], gitDir)).trim();
  };
  await client.push('other', { 'index.html': 'other', 'deep/er.txt': 'deep' });
  const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
  const foreign = mkdtempSync(join(tmpdir(), 'cannery-submodules-'));
  writeFileSync(join(foreign, 'index.html'), 'secret of eve');
  const product = { productUrl: client.product.url, api: eve, folder: foreign };
  await pushFolder({ ...product, owner: 'eve', name: 'private', message: 'Import' });
  const [other, secret] = [await newestOf('ada', 'other'), await newestOf('eve', 'private')];
  await push(
    'whole',
    {
      'index.html': 'whole',
      '.gitmodules': [
        entry('beside', 'beside', '../other.git'),
        entry('named', 'named', `${client.product.url}/ada/other`),
        entry('old', 'old', '../other.git'),
        entry('eves', 'eves', '../../eve/private.git'),
        entry('taken', 'taken', '../other.git'),
      ].join(''),
    },
    { beside: other, named: other, old: 'a'.repeat(40), eves: secret, taken: secret },
  );
  const id = await client.create('whole', 'STATIC_SITE');
  const { status, logs } = await client.run(id);
  const log = logs ?? '';
  expect(status, log).toBe('COMPLETED');
  expect(log).toContain(`Submodule beside: ${other.slice(0, 7)} of ${client.product.url}/ada/other.git`);
  expect(log).toMatch(
    /The submodule old is not fetched: its commit aaaaaaa cannot be had\. Push it to that repository\./,
  );
  expect(log).toContain('The submodule eves is not fetched: you have no such repository here.');
  expect(log).toMatch(/The submodule taken is not fetched: its commit \w{7} cannot be had/);
  expect((await client.page(id, '/beside/deep/er.txt')).text).toBe('deep');
  expect((await client.page(id, '/named/index.html')).text).toBe('other');
  expect(log).not.toContain('secret of eve');

  // A repository of somebody else must not bring those of the user into a build that runs its commands.
  const files = {
    'index.html': 'x',
    '.gitmodules': entry('own', 'own', `${client.product.url}/ada/other.git`),
  };
  await outside.commit('town/trap', files, 'Import', { own: other });
  const trap = await client.create('trap', 'STATIC_SITE', { url: `${outside.url}/town/trap` });
  const trapped = await client.run(trap);
  expect(trapped.status, trapped.logs ?? '').toBe('COMPLETED');
  expect(trapped.logs).toMatch(/The submodule own is not fetched: /);
  expect((await client.page(trap, '/own/index.html')).text).not.toBe('other');
}, 180_000);

test('an address relative to a repository of another host leads beside it', async () => {
  const files = { 'index.html': 'shop', '.gitmodules': entry('mill', 'mill', '../../flour/mill.git') };
  await outside.commit('town/shop', files, 'Import', { mill: newer });
  const url = `${outside.url}/town/shop`;
  const id = await client.create('shop', 'STATIC_SITE', { url });
  const { status, logs } = await client.run(id);
  expect(status, logs ?? '').toBe('COMPLETED');
  expect((await client.page(id, '/mill/index.html')).text).toBe('newer flour');
}, 120_000);

test('a file of submodules that cannot be read ends the run with what to do', async () => {
  const broken = { 'not git': '[submodule "x\n', 'too long': `# ${'x'.repeat(300_000)}` };
  for (const [what, text] of Object.entries(broken)) {
    await push('broken', { 'index.html': 'x', '.gitmodules': text }, { x: older });
    const { status, logs } = await client.run(await client.create('broken', 'STATIC_SITE'));
    expect(status, what).toBe('FAILED');
    expect(logs, what).toMatch(/Failed: \.gitmodules cannot be read: .*Correct it, push, and deploy again\./);
  }
}, 120_000);

test('no more than twenty are fetched', async () => {
  const paths = Array.from({ length: 25 }, (_, at) => `s${at}`);
  const text = paths.map((path) => entry(path, path, '/nowhere')).join('');
  const submodules = Object.fromEntries(paths.map((path) => [path, older]));
  await push('many', { 'index.html': 'x', '.gitmodules': text }, submodules);
  const { logs } = await client.run(await client.create('many', 'STATIC_SITE'));
  expect(logs?.match(/is not fetched:/g)).toHaveLength(20);
  expect(logs).toContain('Further submodules are not fetched: a build gets at most 20.');
}, 120_000);
