import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { groupCommands } from './process-group.ts';

const path = process.env.PATH ?? '';
const folder = mkdtempSync(join(tmpdir(), 'cannery-group-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(process.platform !== 'linux')(
  'a group is made without a session, or by Node where timeout makes none',
  () => {
    expect(groupCommands(path)('cat', ['-n'], { PATH: path })).toMatchObject({ detached: false });
    writeFileSync(join(folder, 'timeout'), '#!/bin/sh\nshift\nexec "$@"\n');
    chmodSync(join(folder, 'timeout'), 0o755);
    const groupCommand = groupCommands(`${folder}${delimiter}${path}`);
    expect(groupCommand('cat', ['-n'], { PATH: path })).toEqual({
      file: 'cat',
      args: ['-n'],
      detached: true,
    });
  },
);
