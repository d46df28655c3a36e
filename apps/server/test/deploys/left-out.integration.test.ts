import type { DeployAnswer } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

describe('a project of which a part cannot be deployed', () => {
  const canisters = {
    backend: { type: 'rust', package: 'backend' },
    works: { main: 'works.mo' },
    page: { type: 'assets', source: ['dist'], dependencies: ['works'] },
  };
  const files = {
    'dfx.json': JSON.stringify({ canisters }),
    'works.mo': 'persistent actor { public query func greet() : async Text { "hello" } }',
    'dist/index.html': 'page',
  };
  const rust = { name: 'backend', type: 'Rust' };

  test('goes live without what nothing needs, and the run says so', async () => {
    await client.push('rusty', files);
    const { status, logs, left_out } = await client.run(await client.create('rusty', 'CUSTOM'));
    expect(status, logs ?? '').toBe('COMPLETED');
    expect(logs).toMatch(/\nLive, 1 of 3 canisters not deployed: backend \(Rust\)\.$/);
    expect(left_out).toEqual({ of: 3, canisters: [{ ...rust, needed_by: null }] });
  });

  test('may name what it leaves out in characters that the database refuses', async () => {
    const odd = { type: 'r\0u\ud800st' };
    const works = canisters.works;
    await client.push('odd', {
      'dfx.json': JSON.stringify({ canisters: { odd, works } }),
      'works.mo': files['works.mo'],
    });
    const { status, logs, left_out } = await client.run(await client.create('odd', 'CUSTOM'));
    expect(status, logs ?? '').toBe('COMPLETED');
    expect(left_out?.canisters).toEqual([{ name: 'odd', type: 'r\uFFFDu\uFFFDst', needed_by: null }]);
  });

  test('fails before a canister is paid for where another one needs it, until the owner agrees', async () => {
    const page = { ...canisters.page, dependencies: ['works', 'backend'] };
    await client.push('needy', {
      ...files,
      'dfx.json': JSON.stringify({ canisters: { ...canisters, page } }),
    });
    const id = await client.create('needy', 'CUSTOM');
    const refused = await client.run(id);
    expect(refused.status).toBe('FAILED');
    expect(refused.logs?.split('\n').at(-1)).toMatch(
      /^Failed: page needs backend \(Rust\), which is not deployed: /,
    );
    expect(refused.left_out).toEqual({ of: 3, canisters: [{ ...rust, needed_by: 'page' }] });
    const deploy = () => client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
    expect((await deploy()).canisters).toEqual([]);

    await client.ada.call('PATCH', `/deploy/${id}`, { deploy_without: ['backend'] });
    expect((await deploy()).deploy_without).toEqual(['backend']);
    const live = await client.run(id);
    expect(live.status, live.logs ?? '').toBe('COMPLETED');
    expect(live.left_out).toEqual({ of: 3, canisters: [{ ...rust, needed_by: null }] });
  });
});
