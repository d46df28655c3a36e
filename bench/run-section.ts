// Runs one section and prints each figure as a line of JSON.
import { SECTIONS } from './sections.ts';

const name = process.argv[2] ?? '';
const load = SECTIONS[name];
if (!load) throw new Error(`There is no section "${name}".`);
const section = await load();
await section.run((figure) => console.log(JSON.stringify(figure)));
process.exit(0);
