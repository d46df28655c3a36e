import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const RUNNER = fileURLToPath(new URL('./run-drun.ts', import.meta.url));
const checkout = mkdtempSync(join(tmpdir(), 'cannery-suite-'));
const suite = join(checkout, 'test', 'run-drun');

const counter = `import Prim "mo:⛔";
actor {
  stable var count = 0;
  public func inc() : async () { count += 1; Prim.debugPrint(debug_show count) };
}
//CALL ingress inc "DIDL\\x00\\x00"
//CALL upgrade
//CALL ingress inc "DIDL\\x00\\x00"
`;
const reply = 'ingress Completed: Reply: 0x4449444c0000\n';
const created = 'ingress Completed: Reply: 0x4449444c016c01b3c4b1f204680100010a00000000000000000101\n';
const expected = (second: number): string =>
  `${created}${reply}debug.print: 1\n${reply}${reply}debug.print: ${second}\n${reply}`;

mkdirSync(join(suite, 'ok'), { recursive: true });
for (const [name, second] of [
  ['counter', 2],
  ['forgetful', 1],
] as const) {
  writeFileSync(join(suite, `${name}.mo`), counter);
  writeFileSync(join(suite, 'ok', `${name}.drun-run.ok`), expected(second));
}

afterAll(() => rmSync(checkout, { recursive: true }));

async function run(): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, [RUNNER, checkout, '--persistence', 'enhanced'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, output };
}

it('accepts the expected output of a suite and names every other', { timeout: 180_000 }, async () => {
  const { code, output } = await run();
  expect(output).toContain('pass     counter.mo (enhanced)\n');
  expect(output).toContain('DIFFERS  forgetful.mo (enhanced)\n    - debug.print: 1\n    + debug.print: 2\n');
  expect(output).toContain('1 of 2 passed (50.0 %)');
  expect(code).toBe(1);
});
