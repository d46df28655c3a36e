import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gitMemoryBytes } from '../../src/git/repository/run-git.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { pushOfRepeats, pushOfZeros } from './hostile-pack.ts';
import { mostDuring } from '../support/process-memory.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const MIB = 1024 ** 2;

let folder: string;
let server: RunningServer;
let secret: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-git-memory-'));
  server = await startTestServer({ IC_URL: NO_NETWORK, DATA_DIR: join(folder, 'data') });
  const eve = await ApiClient.signIn(server.url, 'eve');
  secret = String((await eve.post('/repository/tokens', { label: 'x' })).body.secret);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Pushes, and tells what git answered and how large one git grew. */
async function push(name: string, body: Buffer): Promise<{ answer: string; peak: number }> {
  const largest = (all: readonly { name: string; peak: number }[]): number =>
    Math.max(0, ...all.filter((one) => one.name.startsWith('git')).map(({ peak }) => peak));
  const { result, most } = await mostDuring(largest, async () => {
    const response = await fetch(`${server.url}/eve/${name}.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      body: new Uint8Array(body),
    });
    return response.text();
  });
  return { answer: result, peak: most };
}

test.runIf(process.platform === 'linux')(
  'a push of a file that is large only when it is unpacked is taken, and git stays small',
  { timeout: 120_000 },
  async () => {
    const body = pushOfZeros(200 * MIB);
    expect(body.length).toBeLessThan(MIB);
    const { answer, peak } = await push('zeros', body);
    expect(answer).toContain('unpack ok');
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(64 * MIB);
  },
);

test.runIf(process.platform === 'linux')(
  'a difference that would make a file larger than the memory of git is refused, and what fits is taken',
  { timeout: 120_000 },
  async () => {
    const { answer, peak } = await push('repeats', pushOfRepeats(300));
    expect(answer).toContain('unpack index-pack abnormal exit');
    expect(answer).toContain('ng refs/heads/main');
    expect(peak).toBeLessThan(gitMemoryBytes + 16 * MIB);
    expect((await push('repeats', pushOfRepeats(100))).answer).toContain('unpack ok');
  },
);
