import { helpText } from './config/env.ts';
import { StartError } from './errors.ts';
import { showPrincipal } from './show-principal.ts';
import { startServer } from './start-server.ts';

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
  const server = await startServer();
  for (const note of server.notes) process.stdout.write(`${note}\n`);
  process.stdout.write(`Cannery is ready: ${server.url}\n`);
  // By this `npm start` knows that a later end is no fault of the configuration.
  process.send?.('ready');
  await stop.promise;
  await server.close();
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
