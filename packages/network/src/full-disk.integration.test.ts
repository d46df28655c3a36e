import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, deploy } from '../test/agent.ts';
import { compileMotoko } from '../test/compile-motoko.ts';
import { COUNTER_SOURCE, counter } from '../test/canisters/counter.ts';
import { TestClient } from '@cannery/replica/test-client';
import { NetworkProcess } from '../test/network-process.ts';
import { COUNTER_WAT } from '../../replica/test/canisters/text-canisters.ts';
import { wat } from '../../wasm/test/wasm.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-full-disk-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('with little space left calls are refused and queries answered, until there is space again', async () => {
  const dataDir = folder;
  const first = await TestClient.start({ dataDir }, true);
  const canister = await first.deploy(wat(COUNTER_WAT));
  await first.update(canister, 'inc');
  const before = await first.query(canister, 'get');
  await first.close();
  const low = await TestClient.start({ dataDir, diskReserveBytes: Number.MAX_SAFE_INTEGER }, true);
  await expect(low.update(canister, 'inc')).rejects.toMatchObject({ code: 'IC0101', rejectCode: 2 });
  await expect(low.create()).rejects.toThrow('The disk of this network is almost full');
  expect(await low.query(canister, 'get')).toEqual(before);
  await low.close();
  const again = await TestClient.start({ dataDir }, true);
  await again.update(canister, 'inc');
  expect(await again.query(canister, 'get')).not.toEqual(before);
  await again.close();
});

/** Bytes the log may still grow: room for some calls, so that the one that fails is in the middle of others. */
const ROOM_BYTES = 30_000;

// A limit for the size of files refuses writes as a full disk does, without a disk to fill.
test.skipIf(process.platform !== 'linux')(
  'a write that fails ends the network with the reason, and nothing that was answered is lost',
  async () => {
    const network = await NetworkProcess.start(folder);
    const canister = await deploy(await connect(network.url), compileMotoko(COUNTER_SOURCE));
    const actor = counter(await connect(network.url), canister);
    let answered = await actor.inc();
    const [log = ''] = readdirSync(join(folder, 'log'));
    const { size } = statSync(join(folder, 'log', log));
    execFileSync('prlimit', ['--pid', String(network.child.pid), `--fsize=${size + ROOM_BYTES}`]);
    const failure = await (async () => {
      for (;;) answered = await actor.inc();
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    await network.ended;
    expect(network.child.exitCode).toBe(1);
    expect(network.errors).toMatch(
      /^The engine has stopped: The redo log .*\.log could not be written: EFBIG/,
    );
    expect(answered).toBeGreaterThan(1n);

    const again = await NetworkProcess.start(folder);
    try {
      const survivor = counter(await connect(again.url), canister);
      const survived = await survivor.get();
      expect([answered, answered + 1n]).toContain(survived);
      expect(await survivor.inc()).toBe(survived + 1n);
    } finally {
      await again.end('SIGKILL');
    }
  },
  60_000,
);
