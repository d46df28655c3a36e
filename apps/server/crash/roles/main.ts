import { parseArgs } from 'node:util';
import { rolesLoad } from './load.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    citizens: { type: 'string', default: '3' },
    payers: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const report = await rolesLoad({
  kills: Number(values.kills),
  citizens: Number(values.citizens),
  payers: Number(values.payers),
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  ...(values.only !== undefined && { only: values.only.split(',') }),
  onProgress: say,
});
const { findings, kills, runs, refused, silent, ...figures } = report;
const rows = {
  ...figures,
  ...prefixed('killed', kills),
  ...prefixed('runs', runs),
  ...prefixed('refused', refused),
  ...prefixed('no answer', silent),
};
for (const [what, value] of Object.entries(rows)) say(`${what.padEnd(50)} ${Math.round(value)}`);
say(`findings${' '.repeat(43)}${findings.length}`);
for (const finding of findings.slice(0, 40)) say(finding);
process.exitCode = findings.length === 0 ? 0 : 1;

function prefixed(prefix: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${prefix}: ${name}`, count]));
}
