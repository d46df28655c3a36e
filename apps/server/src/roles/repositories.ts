import { readdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { sql } from 'kysely';
import type { Addresses, Config } from '../config/config.ts';
import type { partsOf } from '../config/roles.ts';
import { closeDataDir } from '../data-dir/close-data-dir.ts';
import type { Db } from '../db/tx.ts';
import { StartError } from '../errors.ts';
import { tellRepositories } from '../features/live/tell-repositories.ts';
import { templates } from '../features/repository/templates.ts';
import { createEmbeddedGitHost, type EmbeddedGitHost } from '../git/host/embedded-host.ts';
import { DoorClient } from '../git/remote/door-client.ts';
import {
  adoptOwners,
  folderIdIfThere,
  type GitLease,
  idsOfFolder,
  takeFolder,
} from '../git/remote/git-lease.ts';
import { settleOwners, usersOf } from '../git/remote/settle-owners.ts';
import type { Logger } from '../log/logger.ts';
import { doorKeysOf } from './door-keys.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { openCopies } from '../repository-copies/open-copies.ts';
import { noteRemoved } from '../repository-copies/removed-repositories.ts';
import type { RepositoryCopies } from '../repository-copies/repository-copies.ts';
import { refuseUnfinished } from '../repository-copies/restore-copies.ts';

/** The git host of a process that has repositories. */
function hostHere({
  config,
  addresses,
  db,
  log,
  ...told
}: {
  config: Config;
  addresses: Pick<Addresses, 'publicUrl'>;
  db: Db;
  log: Logger;
} & Partial<Pick<Parameters<typeof createEmbeddedGitHost>[0], 'onContent' | 'onRemoving'>>): EmbeddedGitHost {
  return createEmbeddedGitHost({
    ...told,
    dataDir: config.dataDir,
    root: config.repositoriesDir,
    publicUrl: () => addresses.publicUrl,
    limits: config.git,
    templateFolder: (template) => templates.find(({ id }) => id === template)?.folder,
    onChange: ({ id }) => {
      tellRepositories(db, id).catch((error: unknown) =>
        log.warn({ err: error }, 'a change of a repository was not told to open pages'),
      );
    },
  });
}

/**
 * A process of the role `all` has all repositories, so no git role may have any.
 * @throws StartError while a git role is at work on the database, or where others have repositories
 */
export async function refuseBesideGitRoles(db: Db, root: string): Promise<void> {
  const served = await db
    .selectFrom('git_folders')
    .select('url')
    .where(sql<boolean>`lease_until > now()`)
    .executeTakeFirst();
  if (served !== undefined)
    throw new StartError(
      `A git role at ${served.url} works on this database. Start this process as another role, or stop those first (docs/operations/roles.md).`,
    );
  const own = (await folderIdIfThere(root)) ?? '';
  const others = await db
    .selectFrom('repository_homes')
    .select('folder_id')
    .where('folder_id', '!=', own)
    .executeTakeFirst();
  if (others !== undefined)
    throw new StartError(
      `Repositories of this database are in another folder than ${root} (its id is ${others.folder_id}). Set REPOSITORIES_DIR to that folder, or start roles (docs/operations/roles.md).`,
    );
}

type Repositories =
  | { readonly here: EmbeddedGitHost; readonly lease: GitLease | undefined; readonly door?: undefined }
  | { readonly door: DoorClient; readonly here?: undefined; readonly lease?: undefined };

/**
 * Repositories of this process, once they are its, or the way to those of git roles.
 * @param options.url address of this process for other roles
 * @param options.onLost told when another process has taken over the folder of repositories
 */
export async function openRepositories(
  where: ReturnType<typeof partsOf>['repositories'],
  options: Parameters<typeof hostHere>[0] & {
    keyring: Keyring;
    url: string;
    server: Server;
    started: AsyncDisposableStack;
    /** Ends the wait for the folder. */
    signal: AbortSignal;
    onLost: (reason: string) => void;
  },
): Promise<Repositories> {
  const { config, db, log, server, started } = options;
  if (where === 'elsewhere') {
    const door = new DoorClient(db, doorKeysOf(options.keyring));
    started.defer(() => door.close());
    return { door };
  }
  const root = config.repositoriesDir;
  await refuseUnfinished(root);
  // git runs in it, and believes what repositories say of themselves.
  closeDataDir(root, 'REPOSITORIES_DIR');
  let copies: RepositoryCopies | undefined;
  const here = hostHere({
    ...options,
    onContent: (owner) => copies?.changed(owner),
    async onRemoving(id) {
      await noteRemoved(root, id);
      copies?.removed();
    },
  });
  const copyFrom = async (folder: string, holds: () => boolean): Promise<void> => {
    const bucket = config.repositoryCopies;
    if (bucket === undefined) return;
    const opened = await openCopies({ root, folder, bucket, holds, log });
    copies = opened;
    started.defer(() => opened.stop());
  };
  if (where === 'here') {
    await settleOwners(root, () => usersOf(db));
    if (config.repositoryCopies !== undefined)
      await copyFrom((await idsOfFolder(root, config.dataDir)).folder, () => true);
    return { here, lease: undefined };
  }
  const lease = await takeFolder({
    db,
    log,
    ...(await idsOfFolder(root, config.dataDir)),
    url: options.url,
    signal: options.signal,
    onWait: (url) =>
      log.warn({ folder: root, url }, 'Another git role has the folder; this one waits to take it over'),
    onFence: () => server.closeAllConnections(),
    onLost: () => options.onLost('Another git role has taken over the folder of repositories.'),
  });
  started.defer(() => lease.release());
  await settleOwners(root, () => usersOf(db));
  await adoptOwners(db, lease.folder, await readdir(root));
  await copyFrom(lease.folder, () => lease.holds());
  return { here, lease };
}
