import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const root = path.resolve(import.meta.dirname, '..');
const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const section = (title: string): string => text.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const files = sourceFiles(/\.(?:tsx?|mjs)$/);

test('every source file that ARCHITECTURE.md names is there', () => {
  const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(100);
  const gone = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(gone).toEqual([]);
});

test('the tree of ARCHITECTURE.md has the folders of layers.json, and they are there', () => {
  const lines = (section('The tree').split('```')[1] ?? '').split('\n').filter((line) => line.trim() !== '');
  const entries: { folder: string; holds: string }[] = [];
  let top = '';
  for (const line of lines) {
    const last = entries.at(-1);
    if (line.startsWith('   ') && last !== undefined) {
      last.holds += ` ${line.trim()}`;
      continue;
    }
    const [, indent = '', name = '', holds = ''] = /^( *)(\S+) +(.*)$/.exec(line) ?? [];
    if (indent === '') top = name;
    entries.push({ folder: indent === '' ? name : `${top}/${name}`, holds });
  }
  expect(entries.length).toBeGreaterThan(15);
  const layers = JSON.parse(readFileSync(path.join(root, 'layers.json'), 'utf8')) as Record<
    string,
    { rooms?: Record<string, string> }
  >;
  for (const { folder, holds } of entries) {
    const names = holds.split(/[\s,;]+/).filter((name) => /^[a-z-]+(?:\.ts)?$/.test(name));
    const there = names.filter((name) => existsSync(path.join(root, folder, name)));
    const [owner = ''] = /^\w+\/\w+/.exec(folder) ?? [];
    const rooms = layers[owner]?.rooms?.[folder.slice(owner.length + 1)]?.split(' ') ?? [];
    const listed = rooms.filter((room) => /^[a-z-]+$/.test(room));
    if (!folder.endsWith('contract/src')) expect(there, folder).toEqual(names);
    expect(there, folder).toEqual(expect.arrayContaining(listed));
  }
});

test('no way through ARCHITECTURE.md is longer than eight files', () => {
  const rows = section('Eleven ways through it')
    .split('\n')
    .filter((line) => line.startsWith('| a'));
  expect(rows).toHaveLength(11);
  for (const row of rows) expect(row.match(/`[\w./-]+\.tsx?`/g)?.length, row).toBeLessThanOrEqual(8);
});
