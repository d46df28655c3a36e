import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/**
 * What a busy test machine may add to an answer, milliseconds. A text that held the main thread would take many times
 * as long: the patterns below took it for longer than the sun will burn.
 */
const BUSY_MS = 2_000;
/** Pause between two polls, milliseconds. */
const PAUSE_MS = 25;

let client: DeployClient;
beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

/** Asks for the health of the product until told to stop; answers how long each answer took, sorted, in milliseconds. */
function watchHealth(): { stop(): Promise<number[]> } {
  let isWatching = true;
  const watch = async (): Promise<number[]> => {
    const times: number[] = [];
    while (isWatching) {
      const start = performance.now();
      const answer = await fetch(`${client.product.url}/api/health`);
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      times.push(performance.now() - start);
      await delay(PAUSE_MS);
    }
    return times.toSorted((a, b) => a - b);
  };
  const watching = watch();
  return {
    stop() {
      isWatching = false;
      return watching;
    },
  };
}

const at = (times: readonly number[], share: number): number =>
  times[Math.floor((times.length - 1) * share)] ?? 0;
const shown = (times: readonly number[]): string =>
  [0.5, 0.95, 0.99, 1].map((share) => `p${share * 100} ${at(times, share).toFixed(0)} ms`).join(', ');

test('while hostile repositories are deployed, the API answers as if there were none', async () => {
  const deploys: [
    name: string,
    type: string,
    files: Record<string, string>,
    settings: Record<string, string>,
    end: RegExp,
  ][] = [
    [
      'stars',
      'STATIC_SITE',
      {
        [`${'a'.repeat(120)}.html`]: 'x',
        'index.html': 'x',
        '.ic-assets.json5': `[{match:'${'*a'.repeat(14)}*b',ignore:true}]`,
      },
      {},
      /The site is live/,
    ],
    ['dashes', 'MOTOKO', { 'icp.yaml': '- '.repeat(120_000) }, {}, /nested too deeply/],
    [
      'folders',
      'MOTOKO',
      {
        'icp.yaml': `canisters:\n  - "${'*a'.repeat(14)}*b"\n`,
        [`${'a'.repeat(120)}/canister.yaml`]: 'name: a',
      },
      {},
      /No Motoko source/,
    ],
    [
      'large',
      'STATIC_SITE',
      { 'index.html': 'x', '.ic-assets.json5': `[${'{match:"*"},'.repeat(100_000)}]` },
      {},
      /larger than 256 kB/,
    ],
    ['json', 'MOTOKO', { 'dfx.json': `{${'/* */,'.repeat(400_000)}` }, {}, /larger than 256 kB/],
    [
      'flood',
      'STATIC_SITE',
      { 'index.html': 'x' },
      { build_command: 'timeout 8 yes; true' },
      /The site is live/,
    ],
    [
      'many',
      'STATIC_SITE',
      {
        'index.html': 'x',
        ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n % 20}/${n}.html`, `page ${n}`])),
      },
      {},
      /The site is live/,
    ],
  ];
  const ids = new Map<string, string>();
  for (const [name, type, files, settings] of deploys) {
    await client.push(name, files);
    ids.set(name, await client.create(name, type, settings));
  }
  const quiet = watchHealth();
  await delay(2_000);
  const idle = await quiet.stop();

  const watch = watchHealth();
  const runs = await Promise.all(
    deploys.map(async ([name, , , , end]) => {
      const { logs } = await client.run(ids.get(name) ?? '');
      return [name, logs ?? '', end] as const;
    }),
  );
  const busy = await watch.stop();
  for (const [name, logs, end] of runs) expect(logs.split('\n').at(-1), name).toMatch(end);
  const flood = runs.find(([name]) => name === 'flood')?.[1] ?? '';
  expect(flood).toContain('100000 lines; the rest is not kept.');
  expect(at(busy, 0.99), `idle: ${shown(idle)}; busy: ${shown(busy)}`).toBeLessThan(
    2 * at(idle, 0.99) + BUSY_MS,
  );
  if (process.env.SHOW_FIGURES !== undefined)
    process.stdout.write(`idle: ${shown(idle)}; busy: ${shown(busy)}\n`);
}, 180_000);
