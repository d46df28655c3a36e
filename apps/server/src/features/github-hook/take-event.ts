import { z } from 'zod';
import type { AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';
import { skipWordsOf } from '../deploy/runs/skip-words.ts';
import { scheduleRun } from '../deploy/runs/trigger-deploy.ts';
import { deploysOnGitHubPush, lockDeploys } from '../deploy/store/store.ts';
import { endInstallation, endPerson, renameAccount } from '../github/connection-store.ts';

/** What is read of GitHub's events; everything else in them is left out. */
const ofInstallation = z.object({ id: z.number() });

const push = z.object({
  ref: z.string(),
  deleted: z.boolean(),
  /** The newest commit of the branch. */
  head_commit: z.object({ message: z.string() }).nullish().catch(null),
  repository: z.object({ id: z.number() }),
  installation: ofInstallation,
});

const installationChange = z.object({ action: z.string(), installation: ofInstallation });

const rename = z.object({
  action: z.literal('renamed'),
  account: z.object({ login: z.string() }),
  installation: ofInstallation,
});

const revocation = z.object({ action: z.literal('revoked'), sender: z.object({ id: z.number() }) });

/** GitHub sends an event again within three days. */
const DELIVERY_MS = 30 * 86_400_000;

const BRANCHES = 'refs/heads/';
/** What an installation goes through that ends it here. */
const ENDS = ['deleted', 'suspend'];

type Take = (ctx: AppContext, tx: Tx, content: unknown) => Promise<void>;

/** Work for events of one form; those of another form, or of an action that concerns nobody here, do nothing. */
function on<T>(form: z.ZodType<T>, work: (ctx: AppContext, tx: Tx, event: T) => Promise<void>): Take {
  return async (ctx, tx, content) => {
    const event = form.safeParse(content);
    if (event.success) await work(ctx, tx, event.data);
  };
}

/** By the name of the event. */
const takes: ReadonlyMap<string, Take> = new Map([
  [
    'push',
    on(push, async (ctx, tx, { ref, deleted, head_commit: head, repository, installation }) => {
      if (deleted || !ref.startsWith(BRANCHES) || skipWordsOf(head?.message ?? null) !== null) return;
      const branch = ref.slice(BRANCHES.length);
      const pushed = { repositoryId: repository.id, installationId: installation.id, branch };
      const deploys = await deploysOnGitHubPush(tx, pushed);
      await lockDeploys(tx, deploys);
      for (const { id, user } of deploys) {
        await scheduleRun(ctx, tx, user, { deployId: id, triggerBy: 'PUSH' }).catch((error: unknown) => {
          // Such as too many runs in line: the others run all the same.
          if (!(error instanceof AppError)) throw error;
          ctx.log.warn({ err: error, deployId: id }, 'a push at GitHub has started no run');
        });
      }
    }),
  ],
  [
    'installation',
    on(installationChange, async (_ctx, tx, { action, installation }) => {
      if (ENDS.includes(action)) await endInstallation(tx, installation.id);
    }),
  ],
  [
    'installation_target',
    on(rename, (_ctx, tx, { account, installation }) =>
      renameAccount(tx, { installationId: installation.id, login: account.login }),
    ),
  ],
  ['github_app_authorization', on(revocation, (_ctx, tx, { sender }) => endPerson(tx, sender.id))],
]);

/** Does what an event asks for, once: an event that comes again does nothing. One commit holds both. */
export async function takeEvent(
  ctx: AppContext,
  event: { name: string; delivery: string; content: unknown },
): Promise<void> {
  const take = takes.get(event.name);
  if (take === undefined) return;
  await ctx.transact(async (tx) => {
    const noted = await tx
      .insertInto('github_deliveries')
      .values({ id: event.delivery, expires_at: new Date(Date.now() + DELIVERY_MS) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (noted.numInsertedOrUpdatedRows === 1n) await take(ctx, tx, event.content);
  });
}
