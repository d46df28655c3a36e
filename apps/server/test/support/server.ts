import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, type StartOptions, startServer } from '../../src/start-server.ts';
import { putEmptyDatabase } from './empty-database.ts';

/** Nothing listens there: for tests of what works without a network. */
export const NO_NETWORK = 'http://127.0.0.1:9';

/** The product on free ports and in a separate folder, which goes when it is closed. */
export async function startTestServer(options: StartOptions = {}): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-server-'));
  putEmptyDatabase(options.DATA_DIR === undefined ? folder : String(options.DATA_DIR));
  const server = await startServer({
    HOST: '127.0.0.1',
    PORT: 0,
    NETWORK_PORT: 0,
    // The console's books are compared with the network's to the cycle.
    NETWORK_FEES: 'free',
    // Tests of them install them; all others start without.
    NETWORK_SERVICES: 'none',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    // It is written at every level.
    SECURITY_LOG: 'off',
    // Tests call faster than people, and with wrong tokens.
    RATE_LIMIT: 10_000,
    SIGN_IN_LIMIT: 10_000,
    SITE_PICTURES: 'off',
    // A machine may have Rust or not; tests of Rust name theirs.
    RUST_TOOLCHAIN: 'off',
    ...options,
  });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
