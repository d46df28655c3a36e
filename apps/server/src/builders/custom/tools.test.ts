import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTools } from './write-tools.ts';

const root = mkdtempSync(join(tmpdir(), 'cannery-tools-'));
const source = join(root, 'source');
const standIns = join(root, 'stand-ins');
// Nothing but the tools, the shell and Node: this machine's own `rsync` must not answer.
const bare = join(root, 'bare');

beforeAll(async () => {
  for (const folder of [source, join(root, 'commands'), standIns, bare]) mkdirSync(folder);
  writeFileSync(join(bare, 'node'), `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
  await writeTools({ root }, '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function inSource(command: string): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: `${bare}:${standIns}`, DFX_NETWORK: 'local' };
  return promisify(execFile)('/bin/sh', ['-c', command], { cwd: source, env });
}

describe('rsync on a machine without it', () => {
  const generated = '.dfx/local/canisters';
  beforeAll(() => {
    for (const file of [
      'backend/backend.did.js',
      'backend/backend.wasm',
      'backend/idl/x.did',
      'assets/x.js',
    ]) {
      const path = join(source, generated, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
  });

  test('copies the bindings as templates of dfx 0.8 to 0.10 ask', async () => {
    await inSource(
      `rsync -avr .dfx/$(echo \${DFX_NETWORK:-'**'})/canisters/** --exclude='assets/' --exclude='idl/' --exclude='*.wasm' --delete src/declarations`,
    );
    expect(readdirSync(join(source, 'src/declarations'), { recursive: true }).sort()).toEqual([
      'backend',
      'backend/backend.did.js',
    ]);
  });

  test('copies what a folder holds when its name ends with a slash', async () => {
    await inSource(`rsync -a --exclude '*.wasm' ${generated}/backend/ flat`);
    expect(readdirSync(join(source, 'flat')).sort()).toEqual(['backend.did.js', 'idl']);
  });

  test('names what is not there', async () => {
    await expect(inSource('rsync -a missing/ there')).rejects.toMatchObject({
      code: 23,
      stderr: "rsync: 'missing/' is not there.\n",
    });
  });
});
