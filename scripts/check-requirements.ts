// Requirement IDs and the tests that carry them: `[CAN-05] ...` in a test's title. Prints the IDs without a test.
import { readFileSync } from 'node:fs';
import { sourceFiles } from './source-files.ts';

const ID = /\b(?:AUTH|NAV|CAND|CAN|TX|REG|MKT|DEPD|DEP|ACC|DEMO|ENT|API|VAL|ERR|STATE|CONST)-\d{2}\b/g;

const wanted = JSON.parse(readFileSync('docs/requirements.json', 'utf8')) as Record<string, number>;
const ids = Object.entries(wanted).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}-${String(index + 1).padStart(2, '0')}`),
);

const proven = new Set<string>();
for (const file of sourceFiles(/\.(test|spec)\.tsx?$/)) {
  for (const title of readFileSync(file, 'utf8').matchAll(
    /(?:test|it|describe)(?:\.\w+)*\([^\n]*|^\s*['"`]\[[^\n]*/gm,
  )) {
    for (const id of title[0].match(ID) ?? []) proven.add(id);
  }
}

const missing = ids.filter((id) => !proven.has(id));
const sections = Object.keys(wanted).map((section) => {
  const gaps = missing.filter((id) => id.startsWith(`${section}-`)).map((id) => id.slice(section.length + 1));
  return `${section.padEnd(6)} ${(wanted[section] ?? 0) - gaps.length}/${wanted[section]}${gaps.length ? `  without a test: ${gaps.join(' ')}` : ''}`;
});
console.log(sections.join('\n'));
console.log(`\n${ids.length - missing.length} of ${ids.length} requirements carry a test.`);

const unknown = [...proven].filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  console.error(`Tests name requirements that do not exist: ${unknown.join(' ')}`);
  process.exit(1);
}
