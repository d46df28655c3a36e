// Requirement IDs and the tests of `npm test` that carry them: `[CAN-05] ...` in a test's title. Prints the IDs without a test, and
// those that lack one of the kind by which docs/requirements.json says they are observed.
import { readFileSync } from 'node:fs';
import { sourceFiles } from './source-files.ts';
import { restOfTests } from './parts/test-parts.mjs';

/** How a requirement is observed: a part tested alone, calls against the service, a browser on the running product. */
type Kind = 'unit' | 'API' | 'e2e';

const ID = /\b(?:AUTH|NAV|CAND|CAN|TX|REG|MKT|DEPD|DEP|ACC|DEMO|ENT|API|VAL|ERR|STATE|CONST)-\d{2}\b/g;
/** A line that holds the title of a test, also the title of a table of cases, which stands behind the table. */
const TITLE = /(?:test|it|describe)(?:\.\w+)*\([^\n]*|^\s*['"`]\[[^\n]*|\]\)\(\s*['"`][^\n]*/gm;

function kindOf(file: string): Kind {
  if (file.startsWith('e2e/')) return 'e2e';
  return file.includes('.integration.') ? 'API' : 'unit';
}

/** ID -> kinds, such as 'unit + e2e', by section. */
const wanted = JSON.parse(readFileSync('docs/requirements.json', 'utf8')) as Record<
  string,
  Record<string, string>
>;

const proven = new Map<string, Set<Kind>>();
const named = new Set<string>();
const rest = new Set(restOfTests());
for (const file of sourceFiles(/\.(test|spec)\.tsx?$/)) {
  for (const [title] of readFileSync(file, 'utf8').matchAll(TITLE)) {
    for (const id of title.match(ID) ?? []) {
      named.add(id);
      if (!rest.has(file)) proven.set(id, (proven.get(id) ?? new Set()).add(kindOf(file)));
    }
  }
}

let tested = 0;
const lacking: string[] = [];
const ids = new Set<string>();
for (const [section, requirements] of Object.entries(wanted)) {
  const gaps: string[] = [];
  for (const [id, kinds] of Object.entries(requirements)) {
    ids.add(id);
    const found = proven.get(id);
    if (found === undefined) gaps.push(id.slice(section.length + 1));
    const missing = kinds.split(' + ').filter((kind) => !found?.has(kind as Kind));
    if (found !== undefined && missing.length > 0) lacking.push(`${id} (${missing.join(', ')})`);
  }
  const count = Object.keys(requirements).length;
  tested += count - gaps.length;
  const names = gaps.length > 0 ? `  without a test: ${gaps.join(' ')}` : '';
  console.log(`${section.padEnd(6)} ${count - gaps.length}/${count}${names}`);
}
console.log(`\n${tested} of ${ids.size} requirements carry a test.`);
if (lacking.length > 0) console.log(`Without a test of the kind that observes them: ${lacking.join(', ')}`);

const unknown = [...named].filter((id) => !ids.has(id));
if (unknown.length > 0) {
  console.error(`Tests name requirements that do not exist: ${unknown.join(' ')}`);
  process.exit(1);
}
