import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AppContext } from '../../context.ts';
import { findKeptAnswer } from '../../db/answer-once.ts';
import { AppError } from '../../errors.ts';
import { SealError } from '../../sealing.ts';
import { skipWordsOf } from '../deploy/runs/skip-words.ts';
import { triggerDeploy } from '../deploy/runs/trigger-deploy.ts';
import { type HookHost, hookHosts, proofOf, pushedRefs, type RunningProof } from './hook-hosts.ts';
import { sealingPlace } from './hook-place.ts';
import { type CalledHook, findCalledHook, noteDelivery } from './store.ts';

/** What a git host sends before the body. */
export interface Announced {
  /** Of the hook, as it is in the address. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Delivery extends Announced {
  readonly body: Buffer;
}

export interface DeliveryAnswer {
  readonly status: 200 | 202;
  readonly message: string;
}

/** Takes the place of a hook that does not exist, so that looking takes as long as with one. */
export type Decoy = Pick<CalledHook, 'id' | 'sealed'>;

/** The hook of a delivery, and the kind of git host that sends it, when that has the secret. */
export interface Proven {
  readonly hook: CalledHook;
  readonly host: HookHost;
}

/**
 * Starts a run of the hook's deploy when a push has brought a commit to its branch. What is built is the newest commit at
 * the git host: nothing of the body but the name of the branch counts, and that the message of the commit asks for no run.
 * @throws AppError not_found, the same whether there is no such hook or the sender has not its secret; then invalid_input
 *   for a body that is no push, and what keeps a run from starting
 */
export async function receiveDelivery(
  ctx: AppContext,
  delivery: Delivery,
  proven: Proven | undefined,
): Promise<DeliveryAnswer> {
  if (proven === undefined) {
    throw new AppError('not_found', 'There is no webhook at this address, or the secret does not match.');
  }
  const { hook, host } = proven;
  const isPush = headerOf(delivery, host.event) === host.push;
  const type = delivery.headers['content-type'];
  const refs = isPush ? pushedRefs(host, { body: delivery.body, type }) : [];
  const pushed = refs.find(({ ref }) => ref === `refs/heads/${hook.branch}`);
  const words = skipWordsOf(pushed?.message ?? null);
  if (pushed === undefined || words !== null) {
    await noteDelivery(ctx.db, hook.id, 'other');
    const why =
      words === null
        ? `Only a push to ${hook.branch} starts a run.`
        : `The message of the newest commit has ${words}, so no run starts.`;
    return { status: 202, message: `Received. ${why}` };
  }
  const message = await startOnce(ctx, hook, deliveryKey(hook, host, delivery));
  await noteDelivery(ctx.db, hook.id, 'run');
  return { status: 200, message };
}

type Keys = Pick<AppContext, 'db' | 'log'> & { readonly sealing: Pick<AppContext['sealing'], 'open'> };

/** A delivery whose body is still to come. */
export interface Expected {
  /** Whether the body can prove something to a hook that exists: else nothing of it is worth keeping. */
  readonly isWorthKeeping: boolean;
  update(piece: Uint8Array): void;
  /** After the last piece. */
  proven(): Proven | undefined;
}

/** Looks up the hook of a delivery before its body is read; without one, all the work is done on the decoy. */
export async function expectDelivery(ctx: Keys, announced: Announced, decoy: Decoy): Promise<Expected> {
  const hook = await findCalledHook(ctx.db, announced.id);
  const host = hookHosts.find(({ proof }) => announced.headers[proof] !== undefined);
  const proof = host === undefined ? undefined : proofBy(ctx, { announced, host }, hook ?? decoy);
  return {
    isWorthKeeping: hook !== undefined && proof !== undefined && !proof.isHopeless,
    update: (piece) => proof?.update(piece),
    proven: () =>
      // Compared also where nothing can come of it: that takes time.
      proof?.isGood() === true && hook !== undefined && host !== undefined ? { hook, host } : undefined,
  };
}

function proofBy(
  ctx: Keys,
  { announced, host }: { announced: Announced; host: HookHost },
  { id, sealed }: Decoy,
): RunningProof | undefined {
  try {
    const secret = ctx.sealing.open(sealed, sealingPlace(id));
    return proofOf(host, headerOf(announced, host.proof) ?? '', secret);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    ctx.log.error({ err: error }, 'The secret of a webhook was sealed by another key: it has to be replaced');
    return undefined;
  }
}

/** A header that came once. */
function headerOf({ headers }: Announced, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** What is the same when a delivery comes again, and else differs; undefined where nothing is. */
function deliveryKey({ id }: CalledHook, host: HookHost, delivery: Delivery): string | undefined {
  const named = host.delivery.flatMap((name) => headerOf(delivery, name) ?? [])[0];
  const mark = host.delivery.length === 0 ? delivery.body : named;
  if (mark === undefined) return undefined;
  return `hook ${id} ${createHash('sha256').update(mark).digest('hex')}`;
}

/** The run and the note that this delivery has started it are one commit. */
async function startOnce(ctx: AppContext, hook: CalledHook, key: string | undefined): Promise<string> {
  const { deployId, userId: id, username } = hook;
  const request = { userId: id, key, content: ['deploy.trigger', deployId] };
  if ((await findKeptAnswer(ctx.db, request)) !== undefined) {
    return 'This delivery was received before. It starts no second run.';
  }
  await triggerDeploy(ctx, { id, username }, { deployId, key, triggerBy: 'PUSH' });
  return `The push to ${hook.branch} has started a run.`;
}
