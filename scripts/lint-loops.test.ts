import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { programOf } from './steps/install.mjs';

const settings = fileURLToPath(new URL('../.oxlintrc.json', import.meta.url));

/** Files that the linter finds in a loop of imports. */
function loopsAmong(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-loops-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const args = [programOf('oxlint'), '-c', settings, '--format', 'json', '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  return [
    ...new Set(diagnostics.filter(({ code }) => code.includes('no-cycle')).map(({ filename }) => filename)),
  ].sort();
}

test('a loop of imports is refused, also one of types; a program for a thread is none', () => {
  const rows = "import type { Open } from './tables.ts';\nexport type Row = Open;\n";
  const tables =
    "export type { Open } from './types.ts';\nexport const at = new URL('./rows.ts', import.meta.url);\n";
  const types = 'export type Open = number;\n';
  expect(loopsAmong({ 'rows.ts': rows, 'tables.ts': tables, 'types.ts': types })).toEqual([]);
  const back = "import type { Row } from './rows.ts';\nexport type Open = Row[];\n";
  expect(loopsAmong({ 'rows.ts': rows, 'tables.ts': tables, 'types.ts': back })).toEqual([
    'rows.ts',
    'tables.ts',
    'types.ts',
  ]);
});
