import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { TestClient } from '../../test/engine-client.ts';
import { COUNTER_WAT } from '../../test/canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const CHILD = fileURLToPath(new URL('../../test/engine-load.ts', import.meta.url));
const ROUNDS = 6;
/** Requests that are sent again after a kill: more than can be under way at a time. */
const SENT_AGAIN = 40;

interface Ledger {
  /** Value replied, by request number. */
  readonly acknowledged: Map<number, bigint>;
  sent: number;
}

/** Runs the load until `killAfter` milliseconds of it have passed, or to its end when there is nothing new to send. */
async function runChild(
  arguments_: string[],
  ledger: Ledger,
  killAfter: number | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const child = spawn(process.execPath, [CHILD, ...arguments_], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const [first = '', second = ''] = line.split(' ');
    if (first === 'started') setTimeout(() => child.kill('SIGKILL'), killAfter);
    else if (first === 'sent') ledger.sent = Math.max(ledger.sent, Number(second) + 1);
    else {
      const value = BigInt(second);
      expect(ledger.acknowledged.get(Number(first)) ?? value).toBe(value);
      ledger.acknowledged.set(Number(first), value);
    }
  });
  await Promise.all([once(child, 'close'), once(lines, 'close')]);
}

test.each([
  { where: 'in the engine thread', environment: {}, least: 30, most: 430 },
  { where: 'in another thread', environment: { CANNERY_TEST_SLICE: '10' }, least: 400, most: 1_200 },
])(
  'kill -9 under load $where loses no acknowledged update and runs none twice',
  async ({ environment, least, most }) => {
    const client = await TestClient.start({}, true);
    const { dataDir } = client.configuration;
    const canister = await client.deploy(wat(COUNTER_WAT));
    await client.close();
    try {
      const ledger: Ledger = { acknowledged: new Map(), sent: 0 };
      const id = Buffer.from(canister).toString('hex');
      for (let round = 0; round < ROUNDS; round++) {
        const from = Math.max(0, ledger.sent - SENT_AGAIN);
        const killAfter = least + Math.random() * (most - least);
        await runChild([dataDir, id, String(from), String(ledger.sent)], ledger, killAfter, environment);
      }
      await runChild([dataDir, id, '0', String(ledger.sent), 'stop'], ledger, undefined, environment);
      // Every request was answered once, and the answers are exactly 1, 2, 3, ... in some order.
      const values = [...ledger.acknowledged.values()].toSorted((a, b) => Number(a - b));
      expect(ledger.sent).toBeGreaterThan(ROUNDS * 8);
      expect(values).toEqual(Array.from({ length: ledger.sent }, (_, i) => BigInt(i + 1)));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  240_000,
);
