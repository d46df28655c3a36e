// A source file over 400 lines is two files. Data tables are excepted by name.
import { readFileSync } from 'node:fs';
import { sourceFiles } from './source-files.ts';

const LIMIT = 400;
/** Pure tables: long because the thing they list is long. */
const tables: ReadonlySet<string> = new Set(['packages/network/src/errors.ts']);

const tooLong = sourceFiles(/\.(tsx?|mjs|css|mo)$/)
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ file, lines }) => lines > LIMIT && !tables.has(file));

for (const { file, lines } of tooLong) console.error(`${file}: ${lines} lines, the limit is ${LIMIT}.`);
process.exit(tooLong.length === 0 ? 0 : 1);
