// `npm run bench [-- <section> ...] [--write]`: measures, prints a table and, with --write, keeps it in
// docs/benchmarks.md. Run it alone: two cores that do something else at the same time give no verdicts.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '@cannery/network/program';
import { type Figure, verdictOf } from './figures.ts';
import { onCore, CLIENT_CORE } from './pinned.ts';
import { SECTIONS, WITH_ENGINE } from './sections.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNNER = fileURLToPath(new URL('./run-section.ts', import.meta.url));
const TABLE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const START = '<!-- figures -->';

interface Row extends Figure {
  readonly section: string;
}

const args = process.argv.slice(2);
const wanted = args.filter((each) => !each.startsWith('--'));
const unknown = wanted.filter((each) => !(each in SECTIONS));
if (unknown.length > 0 || args.includes('--help')) {
  console.log(
    `Usage: npm run bench [-- <section> ...] [--write]\nSections: ${Object.keys(SECTIONS).join(', ')}`,
  );
  process.exit(unknown.length > 0 ? 1 : 0);
}

const rows: Row[] = [];
/** Sections that broke off; the figures of the others are worth keeping. */
const brokenOff: string[] = [];
for (const name of wanted.length > 0 ? wanted : Object.keys(SECTIONS)) {
  console.log(`\n${name}`);
  await measure(name).catch((error: unknown) => {
    brokenOff.push(name);
    console.error(error);
  });
}
const missed = rows.filter((row) => verdictOf(row) === 'missed');
console.log(`\n${rows.length} figures, ${missed.length} missed`);
if (brokenOff.length > 0) console.log(`broken off: ${brokenOff.join(', ')}`);
if (args.includes('--write')) write();
process.exit(missed.length + brokenOff.length > 0 ? 1 : 0);

/** Each section has a fresh process on the client's core, so that none sees the heap of another. */
async function measure(name: string): Promise<void> {
  const [program, programArgs] = onCore(CLIENT_CORE, process.execPath, ['--expose-gc', RUNNER, name]);
  // Pictures of websites are taken when nobody waits any more, but beside what is measured next.
  const base = WITH_ENGINE.has(name) ? programEnvironment(process.env) : process.env;
  const env = { ...base, SITE_PICTURES: 'off', RUST_TOOLCHAIN: 'off' };
  const child = spawn(program, programArgs, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) {
      console.log(line);
      continue;
    }
    const row = { section: name, ...(JSON.parse(line) as Figure) };
    rows.push(row);
    console.log(`  ${row.what}: ${shown(row)}  ${verdictOf(row)}${row.note ? `  (${row.note})` : ''}`);
  }
  const code = await ended;
  if (code !== 0) throw new Error(`The section ${name} ended with ${code}.`);
}

function shown({ spread, unit, goal }: Figure): string {
  const target = goal && ('atMost' in goal ? ` (goal <= ${goal.atMost})` : ` (goal >= ${goal.atLeast})`);
  return `${number(spread.median)} ${unit} [${number(spread.low)}-${number(spread.high)}]${target ?? ''}`;
}

function number(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

function write(): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();
  const head = readFileSync(TABLE, 'utf8').split(START)[0] ?? '';
  const lines = rows.map((row) => {
    const { section, what, unit, spread, goal, control, note } = row;
    const target = goal ? ('atMost' in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`) : '';
    const even = control ? `${number(control.low)}-${number(control.high)}` : '';
    return `| ${section} | ${what} | ${number(spread.median)} ${unit} | ${number(spread.low)}-${number(spread.high)} | ${target} | ${even} | ${verdictOf(row)} | ${note ?? ''} |`;
  });
  const gaps = brokenOff.length === 0 ? '' : ` Broken off, and not whole: ${brokenOff.join(', ')}.`;
  const load = loadavg()[0]?.toFixed(2);
  writeFileSync(
    TABLE,
    `${head}${START}\n\n${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.versions.node}, load average at the end ${load}.${gaps}\n\n| section | what | median | quartiles | goal | floor against itself | verdict | note |\n|---|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}
