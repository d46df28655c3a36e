// The product as several processes, started and ended as the one of `npm start` is: what starts that one can start this in its place
// (PRODUCT_PROGRAM), and the end-to-end tests find no difference.
import { startFleet } from './fleet.ts';

const { DATA_DIR, PORT, NETWORK_PORT, ...env } = process.env;
if (DATA_DIR === undefined) throw new Error('DATA_DIR is not set.');
const stop = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.resolve());
const fleet = await startFleet({
  folder: DATA_DIR,
  ...(PORT !== undefined && { port: Number(PORT) }),
  ...(NETWORK_PORT !== undefined && { networkPort: Number(NETWORK_PORT) }),
  env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ''])),
  onLine: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`Cannery is ready: ${fleet.url}\n`);
await stop.promise;
await fleet.close();
process.exit(0);
