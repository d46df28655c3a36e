import { type PretendGitHub, startPretendGitHub } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { createGitHub, type GitHub } from '../../src/github/github-client.ts';

let github: PretendGitHub;
let client: GitHub;

beforeAll(async () => {
  github = await startPretendGitHub();
  const { github: app, gitCaFile } = configOf(readEnv(github.env));
  if (app === undefined) throw new Error('There is no app.');
  client = await createGitHub(app, gitCaFile);
}, 60_000);
afterAll(() => github?.close());

test('a public repository that has got the name of a deployed one is not opened in its place', async () => {
  const { world } = github;
  const shop = world.repository('guild/shop');
  const { id: installation } = world.install(shop.owner);
  const named = { owner: 'guild', name: 'shop', id: shop.id };
  expect((await client.open(installation, named, 'read')).repository.id).toBe(shop.id);
  shop.name = 'shop-of-before';
  const other = world.repository('guild/shop', { private: false });
  await expect(client.open(installation, named, 'read')).rejects.toMatchObject({
    code: 'repository_not_found',
    message: expect.stringContaining('is another repository at GitHub by now'),
  });
  // Whoever names it gets it.
  const byName = await client.open(installation, { owner: 'guild', name: 'shop' }, 'read');
  expect(byName.repository.id).toBe(other.id);
  expect(github.faults).toEqual([]);
});
