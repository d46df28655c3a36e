import type { FastifyInstance } from 'fastify';
import type { AppContext } from './context.ts';
import { notingFirstPush } from './features/account/note-push.ts';
import { deployOnPush } from './features/deploy/runs/deploy-on-push.ts';
import { findCaller } from './features/repository/git-caller.ts';
import { addGitDoor } from './features/repository/git-door.ts';
import { addGitRoutes } from './features/repository/git-routes.ts';
import { addLfsRoutes } from './features/repository/lfs-routes.ts';
import { addPassedGitRoutes } from './features/repository/pass-git.ts';
import type { EmbeddedGitHost } from './git/host/embedded-host.ts';
import type { PushWatcher } from './git/host/push.ts';
import { DoorClient } from './git/remote/door-client.ts';
import type { GitLease } from './git/remote/git-lease.ts';
import { InternalTokens, type TokenKeys } from './git/remote/internal-token.ts';

/** What a push starts, in whatever process it arrives. */
const pushWatcher = (ctx: AppContext): PushWatcher => notingFirstPush(ctx, deployOnPush(ctx));

/** The public addresses of git and Git LFS, for repositories here or behind the door of git roles. */
export async function addRepositories(
  app: FastifyInstance,
  ctx: AppContext,
  git: EmbeddedGitHost | DoorClient,
): Promise<void> {
  if (git instanceof DoorClient) {
    await addPassedGitRoutes(app, ctx, git);
    return;
  }
  const hosted = {
    ...ctx,
    git,
    findCaller: (request: Parameters<typeof findCaller>[1]) => findCaller(ctx, request),
  };
  await addGitRoutes(app, hosted, pushWatcher(ctx));
  await addLfsRoutes(app, hosted);
}

/** The door of a git role. */
export async function addDoor(
  app: FastifyInstance,
  ctx: AppContext,
  { git, keys, lease }: { git: EmbeddedGitHost; keys: TokenKeys; lease: GitLease },
): Promise<void> {
  const tokens = new InternalTokens(keys);
  await addGitDoor(app, { ...ctx, git }, { tokens, lease, watcher: pushWatcher(ctx) });
}
