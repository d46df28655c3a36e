import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepCompiledCode } from '@cannery/store/files/compiled-code';
import { UsageError } from '../usage-error.ts';

const USAGE = `Usage: cannery-network pocket-ic [options]

Speaks the REST interface of PocketIC as PicJS uses it, on loopback, and prints "pocket-ic ready: <address>".

Options:
  --port <number>          port to listen on, 0 for a free one (default 0)
  --port-file <file>       write the port into this file once it answers
  --state-dir <directory>  let instances keep their state below it, under a name; else it goes with the instance
  --ttl <seconds>          stop when no request has come for so long
  --log-levels <levels>    understood, without effect
  --version                tell the version of PocketIC whose interface this is, as clients ask for it
  --help                   show this text
`;

/** The release of PocketIC whose REST interface this speaks: that of PicJS 0.23. */
const INTERFACE_VERSION = '13.0.0';

/** Runs the program until it is told to stop. Throws `UsageError` for options that are wrong. */
export async function runPocketIc(args: readonly string[], say: (line: string) => void): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '0' },
      'port-file': { type: 'string' },
      'state-dir': { type: 'string' },
      ttl: { type: 'string' },
      'log-levels': { type: 'string' },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(USAGE);
  if (values.version) return say(`pocket-ic-server ${INTERFACE_VERSION}`);
  const port = wholeNumber('--port', values.port, 65_535);
  const ttl = values.ttl === undefined ? undefined : wholeNumber('--ttl', values.ttl, 10_000_000);
  const stop = Promise.withResolvers<void>();
  process.once('SIGINT', () => stop.resolve());
  process.once('SIGTERM', () => stop.resolve());
  await using resources = new AsyncDisposableStack();
  // Each instance starts a thread, which loads the program again: what Node makes of its files is kept for them.
  const code = await mkdtemp(join(tmpdir(), 'cannery-pocket-ic-code-'));
  resources.defer(() => rm(code, { recursive: true, force: true }));
  keepCompiledCode(code);
  const { startPocketIc } = await import('./server.ts');
  const pocketIc = resources.use(await startPocketIc({ port, stateDir: values['state-dir'] }));
  const portFile = values['port-file'];
  if (portFile !== undefined) await writeFile(portFile, `${pocketIc.port}\n`);
  say(`pocket-ic ready: http://127.0.0.1:${pocketIc.port}`);
  const idle =
    ttl === undefined
      ? undefined
      : setInterval(() => {
          if (Date.now() - pocketIc.lastRequestMillis > ttl * 1_000) stop.resolve();
        }, 1_000);
  await stop.promise;
  clearInterval(idle);
  if (portFile !== undefined) await rm(portFile, { force: true });
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw new UsageError(`${option} must be a number from 0 to ${most}, not "${text}"`);
}
