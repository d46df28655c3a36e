import { type GitServer, startGitServer } from '@cannery/dev-env';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pino from 'pino';
import { type EgressProxy, startEgressProxy } from '../../egress/egress-proxy.ts';
import { createOutsideGit, type OutsideGit } from './outside-git.ts';
import { commitsOf, treeOf } from '../repository/read-repository.ts';

const never = new AbortController().signal;
let folder: string;
let server: GitServer;
let git: OutsideGit;
let commit: string;
/** Where redirects lead; nothing may ever come here. */
let canary: Server;
let canaryCalls = 0;
let proxy: EgressProxy;
const ada = { id: 'ada' };
/** Nothing listens there. */
const away = { name: 'localhost', port: 1 };
const hostAndPort = (host: string) => ({ name: 'localhost', port: Number(host.split(':')[1]) });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-outside-'));
  canary = createServer(() => {
    canaryCalls += 1;
  });
  await new Promise<void>((ready) => canary.listen(0, '127.0.0.1', ready));
  const address = canary.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server = await startGitServer((request, response) => {
    const [, first = '', status = ''] = (request.url ?? '').split('/');
    if (first === 'status') {
      const location = `https://localhost:${port}/o/r.git/info/refs?service=git-upload-pack`;
      const auth = status === '401' ? { 'www-authenticate': 'Basic realm="x"' } : {};
      response.writeHead(Number.parseInt(status, 10), { location, ...auth }).end('<h1>Hello</h1>');
    }
    return first === 'status';
  });
  commit = await server.commit('flour/mill', { 'index.html': '<h1>Flour</h1>' });
  await server.branch('flour/mill', 'feature/stone');
  await server.branch('flour/mill', 'a-first');
  await server.commit('flour/grain/rye', { 'rye.txt': 'rye' });
  proxy = startEgressProxy({ log: pino({ level: 'silent' }) });
  git = await outsideGit(server.caFile);
});
afterAll(async () => {
  await server.close();
  await proxy.close();
  canary.close();
  rmSync(folder, { recursive: true, force: true });
});

function outsideGit(caFile?: string, maybePrivate = [hostAndPort(server.host), away]): Promise<OutsideGit> {
  const gitHosts = [{ name: 'github.com', port: 443 }, hostAndPort(server.host), away];
  const egress = { gitHosts, hosts: [], privateHosts: maybePrivate };
  return createOutsideGit({ egress, proxy, caFile, dataDir: folder });
}

const branches = async (path: string): Promise<string[]> =>
  git.branches(git.allowed(`${server.url}${path}`), ada);

test('[DEP-21] branches come from the host that the address names, its default branch first', async () => {
  expect(await branches('/flour/mill')).toEqual(['main', 'a-first', 'feature/stone']);
  expect(await branches('/flour/mill.git')).toEqual(['main', 'a-first', 'feature/stone']);
  expect(await branches('/flour/grain/rye')).toEqual(['main']);
});

test('[DEP-21] the newest commit of a branch is brought from there, with nothing else of it', async () => {
  const gitDir = join(folder, 'fetched.git');
  await git.fetch(git.allowed(`${server.url}/flour/mill`), 'feature/stone', gitDir, never);
  expect(await commitsOf(gitDir, 'feature/stone', 9)).toMatchObject([{ id: commit }]);
  expect((await treeOf(gitDir, commit, { recursive: true, most: 9 })).map(({ path }) => path)).toEqual([
    'index.html',
  ]);
});

describe('[DEP-21] refusals say what is wrong', () => {
  test.each([
    [
      '/flour/no-such',
      'repository_not_found',
      /There is no repository https:\S+no-such, or it is not public\./,
    ],
    ['/status/401', 'repository_not_found', /or it is not public\./],
    ['/status/403', 'repository_not_found', /or it is not public\./],
    ['/status/200', 'repository_not_found', /There is no branch /],
    ['/status/301', 'repository_not_found', /has moved: the host leads elsewhere\./],
    ['/status/302', 'repository_not_found', /has moved: the host leads elsewhere\./],
    ['/status/307', 'repository_not_found', /has moved: the host leads elsewhere\./],
    ['/status/429', 'git_host_unavailable', /refuses to answer at the moment\./],
    ['/status/503', 'git_host_unavailable', /refuses to answer at the moment\./],
  ])('%s: %s', async (path, code, message) => {
    await expect(branches(path)).rejects.toMatchObject({ code, message });
    const gitDir = join(folder, `refused-${path.replaceAll('/', '-')}.git`);
    const fetching = git.fetch(git.allowed(`${server.url}${path}`), 'main', gitDir, never);
    await expect(fetching).rejects.toMatchObject({ code, message });
  });

  test('a host that does not answer, as without internet', async () => {
    const listing = git.branches(git.allowed('https://localhost:1/o/r'), ada);
    await expect(listing).rejects.toMatchObject({
      code: 'git_host_unavailable',
      message: 'The git host localhost cannot be reached from this machine (ECONNREFUSED).',
    });
  });

  test('a host whose name leads to a private address, unless the operator names it as such', async () => {
    const before = server.requests.length;
    const strict = await outsideGit(server.caFile, []);
    const listing = strict.branches(strict.allowed(`${server.url}/flour/mill`), ada);
    await expect(listing).rejects.toMatchObject({
      code: 'git_host_unavailable',
      message: expect.stringMatching(/not a public address/),
    });
    expect(server.requests).toHaveLength(before);
  });

  test('a certificate of nobody', async () => {
    const strict = await outsideGit();
    const listing = strict.branches(strict.allowed(`${server.url}/flour/mill`), ada);
    await expect(listing).rejects.toMatchObject({
      code: 'git_host_unavailable',
      message: expect.stringMatching(/certificate/),
    });
  });

  test('a branch that does not exist, and one that is no name of a branch', async () => {
    const mill = git.allowed(`${server.url}/flour/mill`);
    const fetching = (branch: string) => git.fetch(mill, branch, join(folder, 'none.git'), never);
    await expect(fetching('nowhere')).rejects.toMatchObject({
      message: expect.stringMatching(/The branch does not exist at https/),
    });
    for (const branch of ['--upload-pack=touch x', '-h', 'a..b', 'a b', 'a:b', 'a\n', '']) {
      await expect(fetching(branch)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  test('hosts that the operator does not name, other ports of those that are named', () => {
    for (const host of [
      'evil.example',
      'github.com:8443',
      'localhost',
      'www.github.com',
      'xn--gthub-n4a.com',
    ]) {
      expect(() => git.allowed(`https://${host}/o/r`), host).toThrow(
        new RegExp(`^Repositories of ${host} cannot be deployed here\\. Allowed are: github\\.com, `),
      );
    }
  });
});

test('no redirect was followed', () => {
  expect(canaryCalls).toBe(0);
});
