// Files that nothing imports, and exported names that nothing uses. Reads imports as text: quick, and good enough to
// keep the tree clean; unused locals and parameters are the compiler's part.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf, isTest, sourceFiles } from './source-files.ts';

/** Where programs, tools and tests enter. */
const entries = [
  /^apps\/server\/src\/main\.ts$/,
  /^apps\/console\/src\/(main|candid\/main)\.tsx$/,
  /^packages\/[^/]+\/src\/(index|cli|main)\.ts$/,
  // Loaded by an argument of Node.
  /^packages\/dev-env\/src\/quiet-watch\.ts$/,
  /^canisters\/[^/]+\/(index|build)\.ts$/,
  /^apps\/server\/src\/index\.ts$/,
  /^scripts\/[^/]+$/,
  /^bench\//,
  /^packages\/network\/(conformance|crash)\//,
  /^apps\/server\/crash\//,
  /\.config\.ts$/,
];
/** Re-exported to the outside as a package's public face. */
const publicFaces = /^packages\/[^/]+\/src\/index\.ts$/;

const files = sourceFiles(/\.(tsx?)$/).filter((file) => !/^canisters\/[^/]+\/assembly\//.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imported = new Set<string>();
/** Files by the names under which packages give them to others, such as `@cannery/network/program`. */
const faces = new Map<string, string>();
for (const folder of globSync(['packages/*', 'apps/*'])) {
  const { name, exports = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    exports?: Record<string, string>;
  };
  for (const [face, file] of Object.entries(exports))
    faces.set(path.posix.join(name, face), path.posix.join(folder, file));
}
for (const [file, source] of sources) {
  for (const specifier of importsOf(source)) {
    const face = faces.get(specifier);
    if (face !== undefined) imported.add(face);
    if (!specifier.startsWith('.')) continue;
    const base = path.posix.join(path.posix.dirname(file), specifier);
    for (const candidate of [base, `${base}.ts`, `${base}.tsx`])
      if (sources.has(candidate)) imported.add(candidate);
  }
}

const problems: string[] = [];
const product = files.filter((file) => !isTest(file) && !/^(scripts|bench)\//.test(file));
for (const file of product) {
  if (!imported.has(file) && !entries.some((entry) => entry.test(file))) {
    problems.push(`${file}: nothing imports it.`);
  }
}

/** Folders whose index re-exports everything: their names may be used by anyone who imports the package. */
const reexported = new Set<string>();
for (const [file, source] of sources) {
  if (!publicFaces.test(file)) continue;
  for (const match of source.matchAll(/export \* from '(\.[^']+)'/g)) {
    reexported.add(path.posix.join(path.posix.dirname(file), match[1] ?? ''));
  }
}

/** For each word, how often it is in which file. */
const words = new Map<string, Map<string, number>>();
for (const [file, source] of sources) {
  for (const [word] of source.matchAll(/\w+/g)) {
    const files = words.get(word) ?? new Map<string, number>();
    files.set(file, (files.get(file) ?? 0) + 1);
    words.set(word, files);
  }
}

const declaration =
  /^export (?:async )?(?:function\*?|const|let|class|interface|type|abstract class) (\w+)/gm;
for (const file of product) {
  if (entries.some((entry) => entry.test(file))) continue;
  for (const match of sources.get(file)?.matchAll(declaration) ?? []) {
    const name = match[1] ?? '';
    const uses = words.get(name);
    const isUsed = (uses?.get(file) ?? 0) > 1 || (uses?.size ?? 0) > 1;
    if (!isUsed && !reexported.has(file)) problems.push(`${file}: nothing uses ${name}.`);
  }
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
