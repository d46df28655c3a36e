import { parseArgs } from 'node:util';
import { configOf } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { StartError } from '../errors.ts';
import { noteCommand } from '../operator/note-command.ts';
import { runCommand } from '../operator/run-command.ts';
import { restoreCopies } from '../repository-copies/restore-copies.ts';

const HELP = `Fills an empty folder of repositories with what REPOSITORIES_BACKUP has copied to the bucket.

  --folder ID       the folder of repositories that is lost, where the bucket has copies of several

REPOSITORIES_DIR (or DATA_DIR) and BLOBS_S3_URL and its three are those of the server that has the repositories. It must not run, and
the lost folder must never be served again.
`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: { folder: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return HELP.trimEnd();
  // The role needs more than a restore does.
  const config = configOf(readEnv({ ...process.env, ROLE: 'all' }));
  if (config.bucket === undefined)
    throw new StartError('There is no bucket. Set BLOBS_S3_URL and its three.');
  const { openBucketObjects } = await import('../blobs/bucket-objects.ts');
  const objects = openBucketObjects(config.bucket);
  try {
    const { repositoriesDir: root } = config;
    const { folder, restored, failures, renamed } = await restoreCopies(objects, {
      root,
      folder: values.folder,
    });
    noteCommand('restore-repositories');
    const line = [
      `${root} has ${restored} repositories of the folder ${folder}. Start its server.`,
      ...renamed,
    ].join('\n');
    if (failures.length === 0) return line;
    throw new StartError(
      `${line}\n${failures.length} could not be brought back; what the bucket has of them stays there:\n  ${failures.join('\n  ')}`,
    );
  } finally {
    objects.close();
  }
});
