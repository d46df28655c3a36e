import { openPlacedBlobs } from '../../src/blobs/placed-blobs.ts';
import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createLogger } from '../../src/log/logger.ts';

// A first start with a bucket, as far as blobs go, in a process that a test can kill.
const config = configOf(readEnv(process.env));
const db = openDatabase({ connectionString: config.databaseUrl ?? '' }, 2);
const blobs = await openPlacedBlobs({
  config,
  db,
  log: createLogger({ logLevel: 'silent' }),
  onLost: () => process.exit(1),
});
await blobs.close();
await db.destroy();
