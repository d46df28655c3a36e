import { formatTrillions } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { keepAnswer } from '../../../db/answer-once.ts';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { IntendedChange } from '../../../db/tables/core-tables.ts';
import type { Tx } from '../../../db/tx.ts';
import type { FinalOutcome } from '../../../ic/replies/call-outcome.ts';
import { credit } from '../../account/credit.ts';
import { release, settle } from '../../account/holds.ts';
import { countInstall } from '../../document/published.ts';
import { sampleSoon } from '../balance/balance-store.ts';
import { recordChange, shortHash } from '../core/changes.ts';
import { type Intent, endIntent } from './intents.ts';
import {
  appendLog,
  deleteCanisterRow,
  forgetFormerCanister,
  insertCanister,
  linkToDeploy,
  saveModule,
} from '../core/store.ts';

/** Of an intent that was written before origins were. */
const UNKNOWN: CodeOrigin = { kind: 'unknown' };

export type Ending =
  | { readonly done: true; readonly canisterId: string }
  | { readonly done: false; readonly reason: string; readonly detail?: string };

/**
 * Ends an intent by the network's answer, in one transaction: books the cost and keeps the new canister, notes the new
 * code, credits what a deleted canister had, or gives the held cycles back. Doing it a second time changes nothing.
 */
export async function completeIntent(
  ctx: AppContext,
  intent: Intent,
  outcome: FinalOutcome,
): Promise<Ending> {
  if (outcome.status === 'rejected') return releaseIntent(ctx, intent, outcome.message, outcome.detail);
  const canisterId = intent.canister_id ?? ctx.ic.createdCanisterId(outcome.reply);
  // Others may have replaced the snapshot, or the code since; what is there now is what is written down.
  const hash = intent.kind === 'restore' ? await ctx.ic.moduleHash(canisterId) : null;
  await clearUploaded(ctx, intent);
  await ctx.transact(async (tx) => {
    if (!(await endIntent(tx, intent))) return;
    if (intent.kind === 'create') await keepCreated(ctx, tx, intent, canisterId, outcome.reply);
    else if (intent.kind === 'topup') await keepToppedUp(ctx, tx, intent, canisterId, outcome.reply);
    else if (intent.kind === 'install') await keepInstalled(tx, intent, canisterId);
    else if (intent.kind === 'restore') await keepRestored(tx, intent, canisterId, hash);
    else await keepDeleted(tx, intent, canisterId);
    ctx.failpoint(`${intent.kind}.booking`);
  });
  return { done: true, canisterId };
}

async function keepCreated(
  ctx: AppContext,
  tx: Tx,
  intent: Intent,
  id: string,
  reply: Uint8Array,
): Promise<void> {
  const { user_id: userId, cycles } = intent;
  const name = intent.canister_name ?? '';
  const controllers = [ctx.ic.principal];
  await settle(tx, holdOf(intent), {
    name: 'CANISTER_CREATE',
    meta: { canister_id: id, ...ctx.ic.ledgerNote('create', reply) },
    requestKey: intent.request_key,
  });
  await forgetFormerCanister(tx, id);
  await insertCanister(tx, { id, userId, name, cycles, controllers });
  await appendLog(tx, { id, userId }, { status: 'running', cycles, moduleHash: null });
  const detail = `With ${formatTrillions(cycles)} from the account.`;
  await recordChange(tx, id, { kind: 'created', actor: await usernameOf(tx, userId), detail });
  if (intent.deploy_id !== null)
    await linkToDeploy(tx, { deployId: intent.deploy_id, canisterId: id, name: intent.deploy_part });
}

async function keepToppedUp(
  ctx: AppContext,
  tx: Tx,
  intent: Intent,
  id: string,
  reply: Uint8Array,
): Promise<void> {
  await settle(tx, holdOf(intent), {
    name: 'CANISTER_TOPUP',
    meta: { canister_id: id, ...ctx.ic.ledgerNote('topup', reply) },
    requestKey: intent.request_key,
  });
  const detail = `${formatTrillions(intent.cycles)} from the account.`;
  await recordChange(tx, id, { kind: 'topped_up', actor: await usernameOf(tx, intent.user_id), detail });
  await sampleSoon(tx, id);
}

async function keepInstalled(tx: Tx, intent: Intent, id: string): Promise<void> {
  const { user_id: userId, request_key: key } = intent;
  const { kind, detail, moduleHash, requestHash, origin = UNKNOWN } = changeOf(intent);
  if (key !== null && requestHash !== undefined)
    await keepAnswer(tx, { userId, key, hash: requestHash, answer: id });
  const actor = await usernameOf(tx, userId);
  // A canister of a network that has lost its state may be in the list no more.
  if (!(await saveModule(tx, { id, userId }, { moduleHash, origin, by: actor }))) return;
  await recordChange(tx, id, { kind, actor, detail });
  if (kind === 'installed' && origin.kind === 'dapp') await countInstall(tx, origin.dappId);
}

/** @param hash of the code that the canister has now */
async function keepRestored(tx: Tx, intent: Intent, id: string, hash: string | null): Promise<void> {
  const { user_id: userId } = intent;
  const { kind, detail, moduleHash, origin = UNKNOWN } = changeOf(intent);
  const actor = await usernameOf(tx, userId);
  const found = hash === moduleHash ? origin : UNKNOWN;
  if (!(await saveModule(tx, { id, userId }, { moduleHash: hash, origin: found, by: actor }))) return;
  await recordChange(tx, id, { kind, actor, detail: `${detail} with code ${shortHash(hash)}.` });
}

function changeOf({ id, change }: Intent): IntendedChange {
  if (change === null) throw new Error(`The intent ${id} does not say what it changes.`);
  return change;
}

async function keepDeleted(tx: Tx, intent: Intent, id: string): Promise<void> {
  const { user_id: userId, cycles } = intent;
  await credit(tx, { id: intent.id, userId, amount: cycles, meta: { canister_id: id } });
  await deleteCanisterRow(tx, { id, userId });
}

/** Ends an intent whose call had no effect: cycles that were held go back to the account. */
export async function releaseIntent(
  ctx: AppContext,
  intent: Intent,
  reason: string,
  detail?: string,
): Promise<Ending> {
  await clearUploaded(ctx, intent);
  await ctx.transact(async (tx) => {
    if ((await endIntent(tx, intent)) && intent.hold_id !== null) await release(tx, intent.hold_id);
  });
  return { done: false, reason, ...(detail === undefined ? {} : { detail }) };
}

/** The chunks of a large module cost the canister cycles for as long as they stay. */
async function clearUploaded(ctx: AppContext, { canister_id: id, change }: Intent): Promise<void> {
  if (id === null || change?.chunked !== true) return;
  await ctx.ic.clearChunks(id).catch((error: unknown) => {
    ctx.log.warn({ err: error, canisterId: id }, 'The chunks of an installed module could not be removed');
  });
}

/** The hold of a payment. */
export function holdOf({ id, hold_id }: Intent): string {
  if (hold_id === null) throw new Error(`The intent ${id} holds no cycles.`);
  return hold_id;
}

async function usernameOf(tx: Tx, userId: string): Promise<string> {
  const { username } = await tx
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return username;
}
