// A source file over 400 lines is two files, a folder with more than 25 of them two folders. Data tables are excepted by name.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './source-files.ts';

const LIMIT = 400;
const FILES_OF_FOLDER = 25;
/** Pure tables: long because the thing they list is long. */
const tables: ReadonlySet<string> = new Set([
  'apps/server/test/sites/site-tables.ts',
  'packages/ic/src/errors.ts',
]);

/** Folders of many things of one kind, each of which is looked up by its name. */
const collections: ReadonlySet<string> = new Set([
  'apps/console/src/components/ui',
  'apps/server/src/db/migrations',
]);

const files = sourceFiles(/\.(tsx?|mjs|css|mo)$/);
const tooLong = files
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ file, lines }) => lines > LIMIT && !tables.has(file));

for (const { file, lines } of tooLong) console.error(`${file}: ${lines} lines, the limit is ${LIMIT}.`);

const filesOf = Map.groupBy(files, (file) => path.dirname(file));
const crowded = [...filesOf].filter(([, own]) => own.length > FILES_OF_FOLDER).map(([folder]) => folder);
const problems = [
  ...crowded
    .filter((folder) => !collections.has(folder))
    .map((folder) => `${folder}: ${filesOf.get(folder)?.length} files, the limit is ${FILES_OF_FOLDER}.`),
  ...[...collections]
    .filter((folder) => !crowded.includes(folder))
    .map((folder) => `${folder}: it is excepted from the limit of ${FILES_OF_FOLDER} files in vain.`),
];
for (const problem of problems) console.error(problem);
process.exit(tooLong.length + problems.length === 0 ? 0 : 1);
