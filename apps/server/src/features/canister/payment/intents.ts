import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { IntendedChange, IntentsTable } from '../../../db/tables/core-tables.ts';
import { lapsed } from '../../../db/lapsed.ts';
import { type OneStatement, type Reader, runOften, type Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import type { SignedCall } from '../../../ic/replies/call-outcome.ts';
import { holding } from '../../account/holds.ts';
import { leaseHeld, leaseLost, mustHaveLease } from '../core/run-action.ts';

/**
 * A network call that moves cycles or changes code, and is under way. The row holds the signed call itself, and is
 * committed together with the hold of its cycles (if it costs any) before the call is sent. Whatever happens then, the
 * network's certified answer to this very call (found by its request id) decides: replied -> what it did is booked,
 * rejected -> the hold is released. Until the call expires it may be sent again without a second effect.
 */
export type Intent = Selectable<IntentsTable>;

/** How long the process that wrote or took up an intent has it for itself. */
const CLAIM_MS = 90_000;

export interface NewIntent {
  readonly kind: Intent['kind'];
  readonly userId: string;
  readonly holdId: string | null;
  readonly canisterId: string | null;
  /**
   * Lease of the action on the canister, as the claimed row has it: it is looked at in the same commit, and an action that has lost it, since it
   * stalled for too long, writes nothing. Undefined where there is no canister yet.
   */
  readonly lease: string | null | undefined;
  readonly canisterName: string | null;
  readonly cycles: bigint;
  readonly cyclesBefore: bigint | null;
  /** What the client calls its request. */
  readonly requestKey?: string | undefined;
  /** The deploy a new canister is for, and its name in the project. */
  readonly deploy?: { readonly id: string; readonly part: string } | undefined;
  /** What an installation will have done. */
  readonly change?: IntendedChange;
  readonly call: SignedCall;
}

/** @throws AppError canister_busy where the action has lost its lease */
export async function insertIntent(tx: Tx, intent: NewIntent): Promise<Intent> {
  const row = rowOf(intent);
  const { canisterId, lease } = intent;
  if (canisterId !== null && lease !== undefined) await mustHaveLease(tx, canisterId, lease);
  await tx
    .insertInto('intents')
    .values({ ...row, change: row.change === null ? null : jsonText(row.change) })
    .execute();
  return row;
}

/** An intent as it is written down; nothing in the row comes from the database. */
function rowOf(intent: NewIntent): Intent {
  const { call } = intent;
  return {
    id: randomUUID(),
    kind: intent.kind,
    user_id: intent.userId,
    hold_id: intent.holdId,
    canister_id: intent.canisterId,
    canister_name: intent.canisterName,
    cycles: intent.cycles,
    cycles_before: intent.cyclesBefore,
    request_key: intent.requestKey ?? null,
    deploy_id: intent.deploy?.id ?? null,
    deploy_part: intent.deploy?.part ?? null,
    change: intent.change ?? null,
    request_id: call.requestId,
    envelope: Buffer.from(call.envelope),
    effective_canister_id: call.effectiveCanisterId,
    request_expires_at: call.expiresAt,
    ledger_time: call.ledgerTime,
    ledger_repeated: call.isRepetition,
    uncertain: null,
    created_at: new Date(),
    claimed_until: new Date(Date.now() + CLAIM_MS),
  };
}

/**
 * Holds what a payment costs and writes its intent, in one statement.
 * @returns undefined when the account has not as much left
 * @throws AppError canister_busy where the action has lost its lease
 */
export async function insertPaidIntent(
  db: OneStatement,
  intent: NewIntent & { holdId: string },
  purpose: string,
): Promise<Intent | undefined> {
  const row = rowOf(intent);
  const { userId, cycles: amount, holdId: id, canisterId, lease } = intent;
  const isLeased = canisterId !== null && lease !== undefined;
  const held = holding({ id, userId, amount, purpose }, isLeased ? sql`leased` : undefined);
  const parts = isLeased ? sql`leased as (${leaseHeld(canisterId, lease)}), ${held}` : held;
  const inserted = await runOften(
    db,
    sql<{ id: string }>`with ${parts}
      insert into intents (id, kind, user_id, hold_id, canister_id, canister_name, cycles, cycles_before, request_key,
        deploy_id, deploy_part, request_id, envelope, effective_canister_id, request_expires_at, ledger_time, ledger_repeated,
        created_at, claimed_until)
      select ${row.id}::text, ${row.kind}::text, ${row.user_id}::text, held.id, ${row.canister_id}::text,
        ${row.canister_name}::text, ${row.cycles}::numeric, ${row.cycles_before}::numeric, ${row.request_key}::text,
        ${row.deploy_id}::text, ${row.deploy_part}::text, ${row.request_id}::text, ${row.envelope}::bytea, ${row.effective_canister_id}::text,
        ${row.request_expires_at}::timestamptz, ${row.ledger_time}::numeric, ${row.ledger_repeated}::boolean,
        ${row.created_at}::timestamptz, ${row.claimed_until}::timestamptz
      from held returning id`,
  );
  if (inserted.length > 0) return row;
  if (isLeased && !(await hasLease(db, canisterId, lease))) throw leaseLost();
  return undefined;
}

async function hasLease(db: Reader, canisterId: string, lease: string | null): Promise<boolean> {
  const row = await db
    .selectFrom('canisters')
    .select('action_id')
    .where('id', '=', canisterId)
    .executeTakeFirst();
  return row !== undefined && row.action_id === lease;
}

export function callOf(intent: Intent): SignedCall {
  return {
    requestId: intent.request_id,
    envelope: intent.envelope,
    effectiveCanisterId: intent.effective_canister_id,
    expiresAt: intent.request_expires_at,
    ledgerTime: intent.ledger_time,
    isRepetition: intent.ledger_repeated,
  };
}

/** Writes down a new message of the same payment, before it is sent. */
export async function renewIntent(tx: Tx, id: string, call: SignedCall): Promise<void> {
  await tx
    .updateTable('intents')
    .set({
      request_id: call.requestId,
      envelope: Buffer.from(call.envelope),
      request_expires_at: call.expiresAt,
      ledger_repeated: call.isRepetition,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Writes down what the canister of a deletion has, and the call that deletes it, once: a reading made by two at a time is
 * that of the first.
 */
export async function noteReading(
  db: OneStatement,
  { id }: Intent,
  { cycles, call }: { cycles: bigint; call: SignedCall },
): Promise<Intent> {
  const noted = await db
    .updateTable('intents')
    .set({
      cycles,
      cycles_before: cycles,
      request_id: call.requestId,
      envelope: Buffer.from(call.envelope),
      request_expires_at: call.expiresAt,
    })
    .where('id', '=', id)
    .where('cycles_before', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return noted ?? db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Ends an intent; false when somebody else has ended it already, whose work must not be done twice. So it is for a deletion of
 * which somebody has written down meanwhile what it pays back: the outcome of its call decides then.
 */
export async function endIntent(
  tx: Tx,
  { id, kind, cycles_before: read }: Pick<Intent, 'id' | 'kind' | 'cycles_before'>,
): Promise<boolean> {
  const ended = await tx
    .deleteFrom('intents')
    .where('id', '=', id)
    .$if(kind === 'delete' && read === null, (query) => query.where('cycles_before', 'is', null))
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** An intent as it is written down now; undefined when it has ended. */
export async function findIntent(db: Reader, id: string): Promise<Intent | undefined> {
  return db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lets the sweeper take up an intent at once. */
export async function abandonIntent(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('intents').set({ claimed_until: new Date() }).where('id', '=', id).execute();
}

/** Lets the sweeper take up every intent at once; only for a server that shares its database with no other process. */
export async function abandonAllIntents(tx: Tx): Promise<void> {
  await tx.updateTable('intents').set({ claimed_until: new Date() }).execute();
}

/** Takes up intents that nobody works on; no two processes get the same one. */
export async function claimAbandonedIntents(tx: Tx, limit: number): Promise<Intent[]> {
  return tx
    .updateTable('intents')
    .set({ claimed_until: new Date(Date.now() + CLAIM_MS) })
    .where('id', 'in', (select) =>
      select
        .selectFrom('intents')
        .select('id')
        .where(lapsed('claimed_until', CLAIM_MS))
        .where('uncertain', 'is', null)
        .orderBy('created_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Whether the outcome of a network call for a canister is not known yet. */
export async function hasOpenIntent(db: Reader, canisterId: string): Promise<boolean> {
  const open = await db
    .selectFrom('intents')
    .select('id')
    .where('canister_id', '=', canisterId)
    .where('uncertain', 'is', null)
    .executeTakeFirst();
  return open !== undefined;
}
