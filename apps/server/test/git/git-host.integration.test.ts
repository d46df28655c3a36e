import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Api, createApi, git, type Product, signIn, startProduct } from '@cannery/dev-env';
import type { RepositoryAccount, RepositoryContent } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let product: Product;
let folder: string;
let ada: Api;
let eve: Api;
let token: string;
let eveToken: string;

beforeAll(async () => {
  product = await startProduct();
  folder = mkdtempSync(join(tmpdir(), 'cannery-git-'));
  ada = createApi(product.url, await signIn(product.url, 'ada'));
  eve = createApi(product.url, await signIn(product.url, 'eve'));
  ({ secret: token } = await ada.call<{ secret: string }>('POST', '/repository/tokens', { label: 'laptop' }));
  ({ secret: eveToken } = await eve.call<{ secret: string }>('POST', '/repository/tokens', {
    label: 'laptop',
  }));
});

afterAll(async () => {
  await product.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function address(path: string, secret?: string): string {
  const url = new URL(path, product.url);
  if (secret !== undefined) {
    url.username = 'anything';
    url.password = secret;
  }
  return url.href;
}

async function work(name: string, branch = 'main'): Promise<string> {
  const path = mkdtempSync(join(folder, `${name}-`));
  writeFileSync(join(path, 'README.md'), `# ${name}\n<script>alert(1)</script>\n`);
  writeFileSync(join(path, 'big.bin'), Buffer.alloc(3_000_000, name));
  await git(['init', '-q', '-b', branch], path);
  await git(['add', '-A'], path);
  await git(['commit', '-q', '-m', `Start <${name}>`], path);
  return path;
}

/** The path goes over the wire as it is, which fetch would tidy up. */
function raw(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(product.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
});

describe('git over HTTP', () => {
  test('a push of a shallow clone is told to fetch the whole history', async () => {
    const path = await work('deep');
    writeFileSync(join(path, 'README.md'), 'Second');
    await git(['commit', '-q', '-a', '-m', 'Second'], path);
    const shallow = join(folder, 'shallow');
    await git(['clone', '-q', '--depth', '1', `file://${path}`, shallow], folder);
    const pushed = promisify(execFile)('git', ['push', address('/ada/deep.git', token), 'main'], {
      cwd: shallow,
    });
    const said = await pushed.then(
      () => 'taken',
      ({ stderr }: { stderr: string }) => stderr,
    );
    // git breaks what the host says over lines.
    expect(said.replaceAll(/\nremote: */g, ' ')).toMatch(
      /^remote: .*git fetch --unshallow\. Then push again\./s,
    );
    await git(['fetch', '-q', '--unshallow'], shallow);
    await git(['push', '-q', address('/ada/deep.git', token), 'main'], shallow);
  });

  test('[VAL-27] the first push creates the repository at owner and name of its address', async () => {
    const path = await work('first');
    await git(['push', '-q', address('/ada/first.git', token), 'main'], path);
    const repositories = await ada.call<
      { name: string; url: string; private: boolean; default_branch: string; owner: { login: string } }[]
    >('GET', '/deploy/repos');
    const created = repositories.find(({ name }) => name === 'first');
    expect(created).toMatchObject({ private: true, owner: { login: 'ada' }, default_branch: 'main' });
    const [, , , owner, name] = created?.url.split('/') ?? [];
    expect([owner, name]).toEqual(['ada', 'first.git']);

    const clone = join(folder, 'clone-first');
    await git(['clone', '-q', address('/ada/first.git', token), clone], folder);
    expect(readFileSync(join(clone, 'big.bin')).length).toBe(3_000_000);
  });

  test('history may be pushed again by force, and old clients work', async () => {
    const path = await work('force');
    const remote = address('/ada/force.git', token);
    await git(['push', '-q', remote, 'main'], path);
    await git(['commit', '-q', '--amend', '-m', 'Another start'], path);
    await git(['push', '-q', '--force', remote, 'main'], path);
    const listed = await git(['-c', 'protocol.version=0', 'ls-remote', remote, 'refs/heads/main'], path);
    expect(listed.slice(0, 40)).toBe((await git(['rev-parse', 'HEAD'], path)).trim());
  });

  test('without a valid token nothing is read or written', async () => {
    const path = await work('anonymous');
    for (const secret of [undefined, 'wrong', `${token}x`, '']) {
      await expect(
        git(['push', '-q', address('/ada/anonymous.git', secret), 'main'], path),
      ).rejects.toThrow();
      await expect(git(['ls-remote', address('/ada/first.git', secret)], path)).rejects.toThrow();
    }
    const answer = await raw('/ada/first.git/info/refs?service=git-upload-pack');
    expect(answer.status).toBe(401);
    expect((await raw('/ada/no-such.git/info/refs?service=git-upload-pack')).text).toBe(answer.text);
  });

  test("another user's repositories are as good as absent, for reading and pushing", async () => {
    const path = await work('mine');
    await expect(git(['push', '-q', address('/ada/mine.git', eveToken), 'main'], path)).rejects.toThrow();
    await expect(git(['push', '-q', address('/ada/first.git', eveToken), 'main'], path)).rejects.toThrow();
    const foreign = await raw('/ada/first.git/info/refs?service=git-upload-pack', basic(eveToken));
    const absent = await raw('/ada/no-such.git/info/refs?service=git-upload-pack', basic(eveToken));
    expect(foreign).toEqual(absent);
    expect(foreign.status).toBe(404);
    const names = (await ada.call<{ name: string }[]>('GET', '/deploy/repos')).map(({ name }) => name);
    expect(names).not.toContain('mine');
    expect(await eve.call('GET', '/deploy/repos')).toEqual([]);
  });

  test('a revoked token opens nothing any more', async () => {
    const { id, secret } = await ada.call<{ id: string; secret: string }>('POST', '/repository/tokens', {
      label: 'old',
    });
    await git(['ls-remote', address('/ada/first.git', secret)], folder);
    expect((await eve.request('DELETE', `/repository/tokens/${id}`)).status).toBe(404);
    await ada.call('DELETE', `/repository/tokens/${id}`);
    await expect(git(['ls-remote', address('/ada/first.git', secret)], folder)).rejects.toThrow();
    const tokens = await ada.call<{ id: string; last_used_at: string | null }[]>('GET', '/repository/tokens');
    expect(tokens.some((one) => one.id === id)).toBe(false);
    expect(JSON.stringify(tokens)).not.toContain(token);
  });

  test('files of the repository folder are not served, nor anything above it', async () => {
    const paths = [
      '/ada/first.git/HEAD',
      '/ada/first.git/config',
      '/ada/first.git/objects/info/packs',
      '/ada/first.git/info/refs',
      '/ada/first.git/info/refs?service=git-evil',
      '/ada/..%2f..%2fetc.git/info/refs?service=git-upload-pack',
      '/ada/%2e%2e/info/refs?service=git-upload-pack',
      '/../ada/first.git/info/refs?service=git-upload-pack',
      '/%2e%2e/first.git/info/refs?service=git-upload-pack',
      '/ada/first.git%00/info/refs?service=git-upload-pack',
      '/ada/--upload-pack=x.git/info/refs?service=git-receive-pack',
      '/ada/-x.git/info/refs?service=git-receive-pack',
      '/ada/a..b.git/info/refs?service=git-receive-pack',
      `/ada/${'x'.repeat(5000)}.git/info/refs?service=git-receive-pack`,
    ];
    for (const path of paths) {
      const { status, text } = await raw(path, basic(token));
      expect([400, 404, 414], `${path} answered ${status}`).toContain(status);
      expect(text).not.toMatch(/refs\/heads|repositoryformatversion/);
    }
    expect(readdirSync(join(product.dataDir, 'git')).toSorted()).toEqual(['.cannery-owners', 'ada']);
  });

  test('a push with a broken tree is refused', async () => {
    const path = await work('broken');
    const run = promisify(execFile);
    const blob = (await git(['hash-object', '-w', 'README.md'], path)).trim();
    writeFileSync(
      join(path, 'tree'),
      Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]),
    );
    const { stdout } = await run('git', ['hash-object', '-t', 'tree', '-w', '--literally', 'tree'], {
      cwd: path,
    });
    const id = (await git(['commit-tree', stdout.trim(), '-m', 'evil'], path)).trim();
    await expect(
      git(['push', '-q', address('/ada/broken.git', token), `${id}:refs/heads/main`], path),
    ).rejects.toThrow(/fsck|hasDotgit|index-pack|unpack/);
  });
});

describe('repositories of the API', () => {
  test('[API-27] without a session the list is refused', async () => {
    expect((await createApi(product.url, 'nobody').request('GET', '/deploy/repos')).status).toBe(401);
  });

  test('[API-28] branches come with the default one first, which is the first pushed', async () => {
    const path = await work('branches', 'trunk');
    const remote = address('/ada/branches.git', token);
    await git(['push', '-q', remote, 'trunk'], path);
    await git(['push', '-q', remote, 'trunk:refs/heads/alpha', 'trunk:refs/heads/feature/x'], path);
    const body = { owner: 'ada', repo: 'branches', is_public: false };
    expect(await ada.call('POST', '/deploy/branches', body)).toEqual([
      { name: 'trunk' },
      { name: 'alpha' },
      { name: 'feature/x' },
    ]);
    const foreign = await eve.request('POST', '/deploy/branches', body);
    const absent = await eve.request('POST', '/deploy/branches', { ...body, repo: 'no-such' });
    // Calling it public opens nothing.
    const claimed = await eve.request('POST', '/deploy/branches', { ...body, is_public: true });
    expect(claimed).toEqual(foreign);
    const deploy = await eve.request('POST', '/deploy', {
      name: 'theft',
      branch: 'trunk',
      owner: 'ada',
      repo_name: 'branches',
      is_public: true,
    });
    expect(deploy).toMatchObject({ status: 400, body: { code: 'repository_not_found' } });
    expect(await eve.call('GET', '/deploy')).toEqual([]);
    expect([foreign.status, absent.status]).toEqual([400, 400]);
    expect(JSON.stringify(foreign.body).replaceAll('branches', '')).toBe(
      JSON.stringify(absent.body).replaceAll('no-such', ''),
    );
  });

  test('another default branch is chosen; a push that deletes it is taken, and the next one takes over', async () => {
    const path = await work('default', 'trunk');
    const remote = address('/ada/default.git', token);
    const heads = async () =>
      (await ada.call<{ name: string }[]>('POST', '/deploy/branches', { owner: 'ada', repo: 'default' })).map(
        ({ name }) => name,
      );
    const choose = (branch: string, api = ada) =>
      api.request('PATCH', '/repository/content/ada/default', { default_branch: branch });
    await git(['push', '-q', remote, 'trunk'], path);
    await git(['push', '-q', remote, 'trunk:refs/heads/main', 'trunk:refs/heads/alpha'], path);
    expect(await heads()).toEqual(['trunk', 'alpha', 'main']);
    expect(await choose('alpha')).toMatchObject({ status: 200, body: { default_branch: 'alpha' } });
    expect(await heads()).toEqual(['alpha', 'main', 'trunk']);
    for (const none of ['gone', '../x', '-d', 'HEAD', 'refs/heads/main', 'alp\nha']) {
      expect((await choose(none)).status).toBe(404);
    }
    expect((await choose('main', eve)).status).toBe(404);
    expect(await heads()).toEqual(['alpha', 'main', 'trunk']);

    await git(['push', '-q', remote, '--delete', 'alpha'], path);
    expect(await heads()).toEqual(['main', 'trunk']);
    const now = Math.floor(Date.now() / 1000);
    for (const [branch, age] of [
      ['a-old', 9_000],
      ['b-new', 0],
      ['c-old', 5_000],
    ] as const) {
      const date = `${now - age} +0000`;
      const tree = (await git(['write-tree'], path)).trim();
      const commit = `tree ${tree}\nauthor A <a@example.org> ${date}\ncommitter A <a@example.org> ${date}\n\nx\n`;
      writeFileSync(join(path, 'commit'), commit);
      const id = (await git(['hash-object', '-t', 'commit', '-w', 'commit'], path)).trim();
      await git(['push', '-q', remote, `${id}:refs/heads/${branch}`], path);
    }
    // Neither main nor master is left: the branch with the newest commit.
    await git(['push', '-q', remote, '--delete', 'trunk', 'main'], path);
    expect(await heads()).toEqual(['b-new', 'a-old', 'c-old']);
    // A clone begins with it.
    await git(['clone', '-q', remote, 'clone-default'], folder);
    const cloned = await git(['symbolic-ref', '--short', 'HEAD'], join(folder, 'clone-default'));
    expect(cloned.trim()).toBe('b-new');
    await git(['push', '-q', remote, '--delete', 'a-old', 'b-new', 'c-old'], path);
    expect(await heads()).toEqual([]);
    await git(['push', '-q', remote, 'HEAD:refs/heads/again'], path);
    expect(await heads()).toEqual(['again']);
  });

  test('starter templates become repositories with one commit; a second one gets another name', async () => {
    const templates = await ada.call<{ id: string; title: string }[]>('GET', '/repository/templates');
    expect(templates.map(({ title }) => title)).toEqual(['Static site', 'Motoko counter']);
    const first = await ada.call<{ name: string; url: string }>('POST', '/repository/templates/static-site');
    const second = await ada.call<{ name: string }>('POST', '/repository/templates/static-site');
    expect([first.name, second.name]).toEqual(['static-site', 'static-site-2']);
    const clone = join(folder, 'clone-template');
    await git(['clone', '-q', address('/ada/static-site.git', token), clone], folder);
    expect(readdirSync(clone)).toContain('build.mjs');
    expect((await git(['log', '--format=%an'], clone)).trim()).toBe('Cannery');
    expect((await ada.request('POST', '/repository/templates/no-such')).status).toBe(404);
  });
});

describe('pages for people', () => {
  const contentOf = (path: string, api = ada) => api.request('GET', `/repository/content/${path}`);

  test('the owner sees files, readme and commits, as they are', async () => {
    const content = await ada.call<RepositoryContent>('GET', '/repository/content/ada/first');
    expect(content).toMatchObject({
      owner: 'ada',
      name: 'first',
      clone_url: `${product.url}/ada/first.git`,
      branch: content.branches[0],
      more_files: false,
    });
    expect(content.files.map(({ path }) => path)).toContain('README.md');
    expect(content.commits[0]?.subject).toBe('Start <first>');
    expect(content.readme).toContain('<script>alert(1)</script>');
    expect(await ada.call('GET', '/repository/content/ada/first.git')).toEqual(content);
    const branch = await ada.call<RepositoryContent>(
      'GET',
      '/repository/content/ada/branches?branch=feature%2Fx',
    );
    expect(branch.branch).toBe('feature/x');
    expect(branch.files.map(({ path }) => path)).toContain('README.md');
    expect((await contentOf('ada/branches?branch=feature')).status).toBe(404);
    for (const owner of ['', '?owner=ada', '?owner=ADA']) {
      const account = await ada.call<RepositoryAccount>('GET', `/repository/account${owner}`);
      expect(account).toMatchObject({ owner: 'ada', username: 'ada' });
      expect(account.push_url_pattern).toBe(`${product.url}/ada/{repo}.git`);
      expect(account.repositories.map(({ name }) => name)).toContain('first');
    }
  });

  test('everybody else gets the same answer as for a repository that does not exist', async () => {
    const absent = await contentOf('ada/no-such', eve);
    expect(absent.status).toBe(404);
    for (const path of ['ada/first', 'ada/branches?branch=main', 'nobody/first']) {
      expect(await contentOf(path, eve)).toEqual(absent);
    }
    for (const owner of ['ada', 'nobody'])
      expect((await eve.request('GET', `/repository/account?owner=${owner}`)).status).toBe(404);
  });

  test('no cookie opens a repository, and its address shows the console to everybody', async () => {
    const cookie = `token=${ada.token}; session=${ada.token}`;
    expect((await raw('/api/repository/content/ada/first', { cookie })).status).toBe(401);
    const absent = await raw('/ada/no-such', { accept: 'text/html' });
    expect(await raw('/ada/first', { accept: 'text/html', cookie })).toEqual(absent);
  });
});

test('one starter template taken several times at once becomes as many whole repositories', async () => {
  const zoe = createApi(product.url, await signIn(product.url, 'zoe'));
  const made = await Promise.all(
    Array.from({ length: 4 }, () =>
      zoe.call<{ name: string; default_branch: string }>('POST', '/repository/templates/static-site', {}),
    ),
  );
  expect(made.map(({ name }) => name).toSorted()).toEqual([
    'static-site',
    'static-site-2',
    'static-site-3',
    'static-site-4',
  ]);
  for (const { default_branch } of made) expect(default_branch).toBe('main');
});
