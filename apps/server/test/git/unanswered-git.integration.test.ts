import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { workOf } from '../support/git-work.ts';
import { NO_NETWORK } from '../support/server.ts';
import { type Program, startProduct } from '../support/server-process.ts';

/** A git that ends before it has said a word: killed, or without a process left for what it starts. */

const SENTENCE = 'This server cannot run git at the moment. Nothing was changed.';

let folder: string;
let product: Program;
let secret: string;

/** How many gits from now on die at their start, for requests of a method. */
const dying = (method: 'GET' | 'POST', count: number): void =>
  writeFileSync(join(folder, method), String(count));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-unanswered-'));
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh
for word in "$@"; do
  if [ "$word" = http-backend ]; then
    left=$(cat "${folder}/$REQUEST_METHOD")
    if [ "$left" -gt 0 ]; then
      echo $((left - 1)) > "${folder}/$REQUEST_METHOD"
      kill -9 $$
    fi
  fi
done
exec ${real} "$@"
`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const dataDir = mkdtempSync(join(folder, 'data-'));
  product = await startProduct({ DATA_DIR: dataDir, PATH, IC_URL: NO_NETWORK, WORKER: 'off' });
  const ada = await ApiClient.signIn(product.url, 'ada');
  secret = String((await ada.post('/repository/tokens', { label: 'x' })).body.secret);
}, 60_000);
afterAll(async () => {
  await product?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  dying('GET', 0);
  dying('POST', 0);
});

const remote = (name: string): string => `${product.url.replace('://', `://x:${secret}@`)}/ada/${name}.git`;
const refsOf = (work: string, name: string): Promise<string> =>
  git(['ls-remote', '--heads', remote(name)], work);

/** Pushes, and answers what git said when it failed. */
async function push(work: string, name: string): Promise<string> {
  return promisify(execFile)('git', ['push', '-q', remote(name), 'main'], {
    cwd: work,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  }).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
}

test.each(['GET', 'POST'] as const)(
  'a git that dies at its start, for a %s, is started again',
  async (method) => {
    const work = await workOf(folder, 100_000);
    dying(method, 2);
    expect(await push(work, `again-${method.toLowerCase()}`)).toBe('');
    expect(await refsOf(work, `again-${method.toLowerCase()}`)).toContain('refs/heads/main');
  },
);

test('where none lives, whoever asks is told to come again, and does so', async () => {
  const work = await workOf(folder, 1_000);
  dying('GET', 100);
  const said = await push(work, 'later');
  expect(said).toContain(`remote: ${SENTENCE}`);
  expect(said).toContain('The requested URL returned error: 503');
  const asked = await fetch(`${product.url}/ada/later.git/info/refs?service=git-receive-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
  });
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '5']);
  dying('GET', 0);
  expect(await push(work, 'later')).toBe('');
});

test('what a push brings is refused in the words of git, is not there, and can be pushed again', async () => {
  const work = await workOf(folder, 3_000_000);
  dying('POST', 100);
  const said = await push(work, 'refused');
  expect(said).toContain(`remote: ${SENTENCE}`);
  expect(said).toContain('[remote rejected] main -> main');
  dying('POST', 0);
  expect(await refsOf(work, 'refused')).toBe('');
  expect(await push(work, 'refused')).toBe('');
  expect(await refsOf(work, 'refused')).toContain('refs/heads/main');
});
