// `npm run fuzz`: sends requests that are made from the OpenAPI document to the real product, and says what was wrong.
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz-run.ts';

const HELP = `Sends requests made from the OpenAPI document to a product that it starts, and checks every answer.

  --requests N      how many (default 30000)
  --seed S          the same seed makes the same choices (default: by the clock)
  --connections N   requests at the same time (default 8)
  --minutes N       after this no request is begun any more (default 60)
`;

/** The longest that a build of the things of a user takes on a busy machine. */
const SETTLING_S = 90;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '30000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    connections: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '60' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help) process.stdout.write(HELP);
else {
  const { requests, seed, connections, minutes } = values;
  process.stdout.write(`seed ${seed}\n`);
  const report = await fuzz({
    requests: Number(requests),
    seed: Number(seed),
    connections: Number(connections),
    minutes: Number(minutes),
    fewest: 0,
    settlingSeconds: SETTLING_S,
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  const { findings, ...figures } = report;
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  for (const finding of findings) process.stdout.write(`FOUND ${finding}\n`);
  process.stdout.write(`${report.requests} requests, ${findings.length} kinds of findings\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
