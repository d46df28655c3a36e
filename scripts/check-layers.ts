// Which folder may import from which (layers.json). A folder that is not listed fails until it is placed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf, isTest, sourceFiles } from './source-files.ts';

interface Layers {
  /** Folder or file -> folders it may import besides itself; `*` ends a prefix. The longest matching one counts. */
  readonly folders: Readonly<Record<string, readonly string[]>>;
  /** Workspace package name -> its source folder. */
  readonly packages: Readonly<Record<string, string>>;
}

const layers = JSON.parse(readFileSync('layers.json', 'utf8')) as Layers;
const known = Object.keys(layers.folders).sort((a, b) => b.length - a.length);
/** Folders that others are listed below of; they hold only their direct files, so that a new folder needs a place. */
const parents = new Set(known.filter((folder) => known.some((other) => other.startsWith(`${folder}/`))));
const placeOf = (file: string): string | undefined =>
  known.find(
    (folder) =>
      file === folder ||
      (parents.has(folder) ? path.posix.dirname(file) === folder : file.startsWith(`${folder}/`)),
  );

function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  const name = specifier.split('/').slice(0, 2).join('/');
  const folder = layers.packages[name];
  return folder === undefined ? undefined : `${folder}/index.ts`;
}

const allowed = (from: string, to: string): boolean =>
  (layers.folders[from] ?? []).some((entry) =>
    entry.endsWith('*') ? to.startsWith(entry.slice(0, -1)) : to === entry,
  );

const problems: string[] = [];
for (const file of sourceFiles(/\.tsx?$/)) {
  if (isTest(file) || !/^(packages|apps|canisters)\//.test(file) || file.endsWith('.config.ts')) continue;
  const from = placeOf(file);
  if (from === undefined) {
    problems.push(`${file}: its folder is not in layers.json; place it.`);
    continue;
  }
  for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
    const imported = target(file, specifier);
    if (imported === undefined) continue;
    const to = placeOf(imported);
    if (to === undefined) problems.push(`${file}: imports ${specifier}, which is in no listed folder.`);
    else if (to !== from && !allowed(from, to))
      problems.push(`${file}: ${from} may not import ${to} (${specifier}).`);
  }
}
for (const folder of known)
  if (!existsSync(folder)) problems.push(`layers.json lists ${folder}, which does not exist.`);

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
