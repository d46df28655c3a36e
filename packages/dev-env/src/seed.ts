// `npm run seed`: puts the sample dapps into the marketplace of a console that runs.
import { parseArgs } from 'node:util';
import { type Api, createApi, signIn } from './api.ts';

const HELP = `Puts the sample dapps into the marketplace of a running Cannery, as dapps of one user. Those that are there stay as they are.

  --url URL       address of the console (default http://localhost:4000)
  --user NAME     who uploads them, signed in by the identity provider that comes with Cannery; (default samples)
  --token TOKEN   bearer token of the uploader, for a console with another identity provider
  --sample NAME   only this one; may be given several times
`;

async function namesOf(api: Api, wanted: readonly string[]): Promise<readonly string[]> {
  const known = (await api.call<{ name: string }[]>('GET', '/marketplace/samples')).map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no sample '${unknown}'. Known: ${known.join(', ')}.`);
  return wanted.length > 0 ? wanted : known;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: `http://localhost:${process.env.PORT ?? '4000'}` },
      user: { type: 'string', default: 'samples' },
      token: { type: 'string' },
      sample: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const api = createApi(values.url, values.token ?? (await signIn(values.url, values.user)));
  for (const sample of await namesOf(api, values.sample)) {
    process.stdout.write(`${sample} ... `);
    const { data } = await api.call<{ data: string }>('POST', '/marketplace/samples', { sample });
    process.stdout.write(`${values.url}/ics/dapp/${data}\n`);
  }
}

try {
  await main();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${reason}\nIs Cannery running? \`npm run seed -- --help\` lists the options.\n`);
  process.exitCode = 1;
}
