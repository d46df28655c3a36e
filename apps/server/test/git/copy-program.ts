import { configOf } from '../../src/config/config.ts';
import { readEnv } from '../../src/config/env.ts';
import { idsOfFolder } from '../../src/git/remote/git-lease.ts';
import { createLogger } from '../../src/log/logger.ts';
import { openCopies } from '../../src/repository-copies/open-copies.ts';

// The copying of a process that has repositories, alone, in a process that a test can kill.
const config = configOf(readEnv(process.env));
const { repositoriesDir: root, repositoryCopies: bucket } = config;
if (bucket === undefined) throw new Error('There are no settings of a bucket.');
const { folder } = await idsOfFolder(root, config.dataDir);
await openCopies({ root, folder, bucket, holds: () => true, log: createLogger({ logLevel: 'warn' }) });
setInterval(() => undefined, 1_000);
