import { Readable } from 'node:stream';
import type { Actor, AppContext } from '../../../context.ts';
import { findKeptAnswer } from '../../../db/answer-once.ts';
import { AppError } from '../../../errors.ts';
import { userTenant } from '../../../fairness/callers.ts';
import { FairSemaphore } from '../../../fairness/fair-semaphore.ts';
import { uploadWasm } from '../../document/upload-wasm.ts';
import { addRegistry } from '../../registry/save-registry.ts';
import { findInstance } from '../store/run-store.ts';
import { artifactsOf, NOT_KEPT, recallModule } from './keep-artifact.ts';

/** Each copies a pack to the disk to verify it, and holds a module in memory. */
const turns = new FairSemaphore({ most: 2, perTenant: 1, waitingPerTenant: 4, what: 'modules' });

/**
 * Adds the module that a successful run has put into a canister to the registries, as if its owner had uploaded it.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @returns the new id
 * @throws AppError not_found, also for somebody else's run and for a canister that the run has not filled; invalid_input
 * for a website, for a run that did not succeed or of which nothing is kept, and for the key of another request;
 * invalid_wasm, payload_too_large and quota_reached as for an upload
 */
export async function addRunModule(
  ctx: AppContext,
  user: Actor,
  {
    deployId,
    instanceId,
    canister,
    name,
    key,
  }: { deployId: string; instanceId: string; canister: string; name: string; key?: string | undefined },
): Promise<string> {
  const content = ['deploy.registry', deployId, instanceId, canister, name];
  const answered = await findKeptAnswer(ctx.db, { userId: user.id, key, content });
  if (answered !== undefined) return answered;
  await requireModule(ctx, user, { deployId, instanceId, canister });
  const identifier = await turns.take(userTenant(user.id), async () => {
    const module = await recallModule(ctx, instanceId, canister);
    return (await uploadWasm(ctx, user, Readable.from([module]))).identifier;
  });
  return addRegistry(ctx, user, { name, identifier, key, content });
}

async function requireModule(
  ctx: AppContext,
  user: Actor,
  { deployId, instanceId, canister }: { deployId: string; instanceId: string; canister: string },
): Promise<void> {
  const { status } = await findInstance(ctx.db, user.id, deployId, instanceId);
  if (status !== 'COMPLETED') {
    throw new AppError(
      'invalid_input',
      'Only modules of a run that has succeeded can be added to a registry.',
    );
  }
  const parts = (await artifactsOf(ctx.db, [instanceId])).get(instanceId);
  if (parts === undefined) {
    throw new AppError('invalid_input', NOT_KEPT);
  }
  const part = parts.find((one) => one.name === canister);
  if (part === undefined) {
    throw new AppError('not_found', 'This run has published no canister of that name.');
  }
  if (part.kind !== 'module') {
    throw new AppError(
      'invalid_input',
      `${canister} is a website. A registry keeps code only, so it cannot be added.`,
    );
  }
}
