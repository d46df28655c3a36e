import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chooseNode, explain } from './choose-node.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'cannery-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

const lacksLibrary = program(
  'lacks-library',
  'echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2; exit 127',
);
const old = program('old', 'echo v18.20.4');

test('the first that runs and is new enough is taken, and the reasons of the others are kept', () => {
  const { chosen, refused } = chooseNode([lacksLibrary, old, process.execPath]);
  expect(chosen).toMatchObject({ file: process.execPath, version: process.versions.node });
  expect(refused.map(explain)).toEqual([
    expect.stringMatching(/needs libatomic\.so\.1, .*apt-get install libatomic1/),
    expect.stringMatching(/is Node 18\.20\.4; it takes 24 or newer/),
  ]);
});

test('a worse one is not asked for when a better one runs', () => {
  function* files() {
    yield process.execPath;
    throw new Error('asked for');
  }
  expect(chooseNode(files()).chosen?.file).toBe(process.execPath);
});

test('none may run; a file that is no program says so', () => {
  const missing = path.join(folder, 'missing');
  const { chosen, refused } = chooseNode([missing, lacksLibrary]);
  expect(chosen).toBeUndefined();
  expect(refused.map(explain)).toEqual([
    expect.stringMatching(/does not run: .*ENOENT/),
    expect.stringContaining('libatomic.so.1'),
  ]);
});

test("options for the caller's Node do not keep a Node from starting", () => {
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = '--no-such-option';
  try {
    expect(chooseNode([process.execPath]).chosen?.file).toBe(process.execPath);
  } finally {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  }
});
