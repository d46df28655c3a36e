import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

/** Runs a deploy and answers how its log ends. */
async function lastLine(id: string): Promise<{ status: string; line: string }> {
  const { status, logs } = await client.run(id);
  return { status, line: (logs ?? '').split('\n').at(-1) ?? '' };
}

test('a site without a page at its address fails, and what was live stays', async () => {
  await client.push('notes', { 'index.html': '<h1>Notes</h1>' });
  const id = await client.create('notes', 'STATIC_SITE');
  expect((await lastLine(id)).line).toMatch(/^The site is live: /);
  // Sources of a site generator, as Jekyll has them, and a site that is in a folder of the repository.
  await client.push('notes', {
    '_config.yml': 'title: Notes',
    'index.md': '# Notes',
    'old/deep/index.html': 'old',
  });
  const { status, line } = await lastLine(id);
  expect(status).toBe('FAILED');
  expect(line).toContain(
    'Failed: The site has no page at its address: the publish directory has no index.html.',
  );
  expect(line).toContain('There is an index.html in old/deep: is that the publish directory?');
  expect(await client.page(id)).toMatchObject({ status: 200, text: '<h1>Notes</h1>' });
  await client.push('notes', {
    'index.html': 'page',
    '404.html': 'gone',
    '.ic-assets.json5': '[{ match: "**/*.html", enable_aliasing: false }]',
  });
  expect((await lastLine(id)).line).toMatch(
    /its rules \(\.ic-assets\.json5\) switch the alias of index\.html off/,
  );
  expect(await client.page(id)).toMatchObject({ status: 200, text: '<h1>Notes</h1>' });
});
