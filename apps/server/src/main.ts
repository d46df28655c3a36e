import { setFlagsFromString } from 'node:v8';
import { helpText } from './config/env.ts';
import { StartError } from './errors.ts';
import { joinServerGroup } from './fairness/processor-group.ts';
import { showPrincipal } from './show-principal.ts';
import { startServer } from './start-server.ts';

// Every piece that a socket brings is a buffer of 64 KiB outside V8's heap. By its usual rule V8 collects the whole heap for each
// 64 MiB of them, however soon they are freed: a tenant who uploads makes everybody wait for that. With this they count together
// with the heap, within the same limit (decision 0116).
setFlagsFromString('--external-memory-accounted-in-global-limit');

/** What EX_CONFIG of sysexits.h says: starting again changes nothing. */
const CONFIGURATION = 78;

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(helpText());
    return;
  }
  if (process.argv.includes('--principal')) {
    process.stdout.write(`${(await showPrincipal()).join('\n')}\n`);
    return;
  }
  const stop = Promise.withResolvers<void>();
  // Listening before the start lets a signal that comes during the start still end cleanly.
  process.once('SIGINT', () => stop.resolve());
  process.once('SIGTERM', () => stop.resolve());
  // Who keeps this process running is gone, in whatever way.
  process.once('disconnect', () => stop.resolve());
  process.channel?.unref();
  await joinServerGroup();
  const stopping = new AbortController();
  void stop.promise.then(() => stopping.abort(new StartError('Told to stop before the start was done.')));
  const server = await startServer({ ...roleIn(process.argv), stopping: stopping.signal });
  for (const note of server.notes) process.stdout.write(`${note}\n`);
  process.stdout.write(`Cannery is ready: ${server.url}\n`);
  // By this `npm start` knows that a later end is no fault of the configuration.
  process.send?.('ready');
  const reason = await Promise.race([stop.promise, server.lost]);
  if (reason !== undefined) {
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }
  await server.close();
}

/** The role that the command line names, before the one of the environment. @throws StartError when it names none */
function roleIn(args: readonly string[]): { ROLE?: string } {
  const at = args.findIndex((arg) => arg === '--role' || arg.startsWith('--role='));
  if (at === -1) return {};
  const role = args[at]?.slice('--role='.length) || args[at + 1];
  if (role === undefined) throw new StartError('--role needs a role: all, api, worker, git or network.');
  return { ROLE: role };
}

try {
  await main();
} catch (error) {
  // A StartError is a sentence for the operator; anything else is a fault of ours and needs its trace.
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = error instanceof StartError ? CONFIGURATION : 1;
}
