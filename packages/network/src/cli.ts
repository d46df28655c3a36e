#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createLocalNetwork, DEFAULT_HOST, DEFAULT_PORT } from './local-network.ts';

const USAGE = `Usage: cannery-network --data-dir <directory> [options]

Runs a local Internet Computer network and prints "network ready: <address>" when it answers.

Options:
  --data-dir <directory>   where the network keeps its canisters and keys (required)
  --host <address>         address to listen on (default ${DEFAULT_HOST})
  --port <number>          port to listen on, 0 for a free one (default ${DEFAULT_PORT})
  --exit-with-parent       stop when the standard input ends, as it does when the parent process dies
  --help                   show this text
`;

/** Wrong use of the command line; shown together with the usage text. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Settings {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly exitWithParent: boolean;
}

function readSettings(args: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      host: { type: 'string', default: DEFAULT_HOST },
      port: { type: 'string', default: String(DEFAULT_PORT) },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const dataDir = values['data-dir'];
  if (!dataDir) throw new UsageError('--data-dir is required');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  return { dataDir, host: values.host, port, exitWithParent: values['exit-with-parent'] };
}

async function run({ exitWithParent, ...options }: Settings): Promise<void> {
  const stop = Promise.withResolvers<undefined>();
  // Listening before the start lets a signal that comes during the start still end cleanly.
  process.once('SIGINT', () => stop.resolve(undefined));
  process.once('SIGTERM', () => stop.resolve(undefined));
  if (exitWithParent) {
    process.stdin.resume();
    process.stdin.once('end', () => stop.resolve(undefined));
    process.stdin.once('error', () => stop.resolve(undefined));
  }
  const network = await createLocalNetwork(options);
  console.log(`network ready: ${network.url}`);
  const failure = await Promise.race([stop.promise, network.failed]);
  if (failure) {
    // The state on disk is that of the last commit; whoever supervises this process starts it again.
    console.error(failure.message);
    process.exit(1);
  }
  await network.close();
  // An open standard input would keep the process alive.
  process.stdin.destroy();
}

function isUsageError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS');
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') console.log(USAGE);
  else await run(settings);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (isUsageError(error)) console.error(`\n${USAGE}`);
  process.exit(1);
}
