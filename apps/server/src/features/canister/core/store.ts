import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { CodeOrigin } from '../../../db/tables/code-origin.ts';
import type { CanisterLogsTable, CanistersTable } from '../../../db/tables/core-tables.ts';
import type { Schema } from '../../../db/tables/schema.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';
import { hasNoAction } from './action-lease.ts';
import { outsideChanges, recordChange } from './changes.ts';
import { type FreezingNeed, freezingNeed } from './freezing.ts';

export type CanisterRow = Selectable<CanistersTable>;

/** What an action that has claimed a canister needs of its row, which has the lease. */
export type Claimed = Pick<CanisterRow, 'id' | 'name' | 'action_id'>;

/** What the network last said about a canister. */
export interface CanisterState {
  readonly status: string;
  readonly cycles: bigint | null;
  readonly moduleHash: string | null;
  /** Sorted; null when not known. */
  readonly controllers: readonly string[] | null;
  /** Null when not known. */
  readonly freezing: FreezingNeed | null;
}

/** The part of a report that is kept. */
export function stateOf(report: CanisterReport): CanisterState {
  const { status, cycles, moduleHash, settings } = report;
  const controllers = settings.controllers.toSorted();
  return { status, cycles, moduleHash, controllers, freezing: freezingNeed(report) };
}

/** What is kept of a canister. */
export function keptState(row: CanisterRow): CanisterState {
  return {
    status: row.status,
    cycles: row.cycles,
    moduleHash: row.module_hash,
    controllers: row.controllers,
    freezing: keptFreezing(row),
  };
}

/** What a canister needs not to freeze, as far as it is kept. */
export function keptFreezing({
  freezing_need: need,
  burned_per_day: perDay,
}: CanisterRow): FreezingNeed | null {
  return need === null || perDay === null ? null : { need, perDay };
}

/** @throws AppError not_found, also for somebody else's canister */
export async function findCanister(db: Reader, userId: string, id: string): Promise<CanisterRow> {
  const row = await db
    .selectFrom('canisters')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Canister');
  return row;
}

/** Newest first. */
export async function listCanisters(db: Reader, userId: string): Promise<CanisterRow[]> {
  return db
    .selectFrom('canisters')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function insertCanister(
  tx: Tx,
  canister: { id: string; userId: string; name: string; cycles: bigint; controllers: readonly string[] },
): Promise<void> {
  await tx
    .insertInto('canisters')
    .values({
      id: canister.id,
      user_id: canister.userId,
      name: canister.name,
      cycles: canister.cycles,
      status: 'running',
      module_hash: null,
      updated_at: null,
      refreshed_at: null,
      controllers: [...canister.controllers],
      freezing_need: null,
      burned_per_day: null,
      logs_fetched_at: null,
      action_id: null,
      action_expires_at: null,
    })
    .execute();
}

/**
 * Takes over what the network said after an action of the user.
 * @param known what the action itself has changed; any other difference was made outside the console
 */
export async function saveState(
  tx: Tx,
  canister: { id: string; userId: string },
  state: CanisterState,
  known: Partial<CanisterState>,
): Promise<void> {
  const row = await lockedRow(tx, canister).executeTakeFirst();
  if (row === undefined) return;
  await recordOutsideChanges(tx, canister.id, { ...keptState(row), ...known }, state);
  const now = new Date();
  await updateStates(tx, [[canister.id, state]], { refreshed_at: now, updated_at: now });
}

/**
 * Takes over what the network, asked at `askedAt`, said besides any action, unless something newer is known by now or
 * an action is changing the canister, perhaps one that a crash has cut off.
 */
export async function saveSeenState(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
  state: CanisterState,
  askedAt: Date,
): Promise<void> {
  await saveSeenStates(tx, userId, new Map([[id, state]]), askedAt);
}

/** The same of several canisters of a user, in a few statements whatever their number: their rows are locked until the last. */
export async function saveSeenStates(
  tx: Tx,
  userId: string,
  seen: ReadonlyMap<string, CanisterState>,
  askedAt: Date,
): Promise<void> {
  const rows = await lockedRows(tx, [...seen.keys()], userId)
    .where(hasNoAction())
    .where((where) => where.or([where('refreshed_at', 'is', null), where('refreshed_at', '<', askedAt)]))
    .where(isUndisturbed)
    .execute();
  const states: [string, CanisterState][] = [];
  for (const row of rows) {
    const state = seen.get(row.id);
    if (state === undefined) continue;
    await recordOutsideChanges(tx, row.id, keptState(row), state);
    states.push([row.id, state]);
  }
  if (states.length > 0) await updateStates(tx, states, { refreshed_at: askedAt });
}

/** Whether no network call for the canister has an outcome that is not known yet; one that nobody will ever know no longer counts. */
export function hasNoIntent({ not, exists, selectFrom }: ExpressionBuilder<Schema, 'canisters'>) {
  const open = selectFrom('intents')
    .select('intents.id')
    .whereRef('intents.canister_id', '=', 'canisters.id')
    .where('intents.uncertain', 'is', null);
  return not(exists(open));
}

/** Phases of a change of code in which the canister may be stopped. */
export const CUT_OFF = ['upgrading', 'restoring', 'restored'] as const;

/** Whether moreover its code is not being changed, be it to another version of its dapp or by a run of a deploy. */
export function isUndisturbed(builder: ExpressionBuilder<Schema, 'canisters'>) {
  const { not, exists, selectFrom, and } = builder;
  const change = selectFrom('code_changes')
    .select('code_changes.canister_id')
    .whereRef('code_changes.canister_id', '=', 'canisters.id')
    .where('code_changes.phase', 'in', CUT_OFF);
  return and([hasNoIntent(builder), not(exists(change))]);
}

/** The user's canister, kept from changing until the transaction ends. */
export function lockedCanister(
  tx: Tx,
  canister: { id: string; userId: string },
): Promise<CanisterRow | undefined> {
  return lockedRow(tx, canister).executeTakeFirst();
}

/** Characters of the name of a canister: the list of canisters has those of all, and is made at a stretch. */
const NAME_LIMIT = 10_000;

/** A name without blanks at its ends. @throws AppError invalid_input for one that is too long to be kept */
export function checkedName(given: string): string {
  const name = given.trim();
  if (name.length <= NAME_LIMIT) return name;
  throw new AppError('invalid_input', `The name of a canister has at most ${NAME_LIMIT} characters.`);
}

/** Writes what the owner calls a canister, and sorts it by. @returns the row as it is now */
export async function saveLabels(
  tx: Tx,
  id: string,
  labels: { readonly name: string } | { readonly tags: string[] },
): Promise<CanisterRow> {
  return tx
    .updateTable('canisters')
    .set({ ...labels, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function lockedRow(tx: Tx, { id, userId }: { id: string; userId: string }) {
  return lockedRows(tx, [id], userId);
}

/** In the order of their ids: two that lock several never wait for each other. */
function lockedRows(tx: Tx, ids: readonly string[], userId: string) {
  return tx
    .selectFrom('canisters')
    .selectAll()
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate();
}

async function recordOutsideChanges(
  tx: Tx,
  canisterId: string,
  known: CanisterState,
  seen: CanisterState,
): Promise<void> {
  for (const detail of outsideChanges(known, seen)) {
    await recordChange(tx, canisterId, { kind: 'outside', actor: null, detail });
  }
}

async function updateStates(
  tx: Tx,
  states: readonly (readonly [id: string, state: CanisterState])[],
  times: { refreshed_at: Date; updated_at?: Date },
): Promise<void> {
  const seen = states.map(([id, { status, cycles, moduleHash, controllers, freezing }]) => ({
    id,
    status,
    cycles: cycles?.toString(),
    module_hash: moduleHash,
    controllers,
    freezing_need: freezing?.need.toString(),
    burned_per_day: freezing?.perDay.toString(),
  }));
  // The planner takes a set of records for a hundred rows, and would read the whole table for one: the ids say how few they are.
  await sql`update canisters set status = seen.status, cycles = seen.cycles, module_hash = seen.module_hash,
      controllers = seen.controllers, freezing_need = seen.freezing_need, burned_per_day = seen.burned_per_day,
      refreshed_at = ${times.refreshed_at}::timestamptz, updated_at = coalesce(${times.updated_at ?? null}::timestamptz, updated_at)
    from json_to_recordset(${jsonText(seen)}::json) as seen (id text, status text, cycles numeric, module_hash text,
      controllers text[], freezing_need numeric, burned_per_day numeric)
    where canisters.id = seen.id and canisters.id = any(${states.map(([id]) => id)}::text[])`.execute(tx);
}

/**
 * Notes the code that an action has put into a canister and where it came from, which is one and the same statement; false when
 * the canister is not in the list.
 * @param code.by username of who has put it in
 */
export async function saveModule(
  tx: Tx,
  canister: { id: string; userId: string },
  code: { moduleHash: string | null; origin: CodeOrigin; by: string },
): Promise<boolean> {
  const now = new Date();
  const saved = await tx
    .updateTable('canisters')
    .set({
      module_hash: code.moduleHash,
      origin: jsonText(code.origin),
      origin_hash: code.moduleHash,
      origin_by: code.by,
      origin_at: now,
      updated_at: now,
    })
    .where('id', '=', canister.id)
    .where('user_id', '=', canister.userId)
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/**
 * Notes that a deploy fills a canister. Where another one has the name, this one has none: a canister that is paid for is in the
 * books whatever else is wrong.
 */
export async function linkToDeploy(
  tx: Tx,
  { deployId, canisterId, name }: { deployId: string; canisterId: string; name: string | null },
): Promise<void> {
  await sql`insert into deploy_canisters (deploy_id, canister_id, name) values (${deployId}, ${canisterId},
    case when exists (select from deploy_canisters where deploy_id = ${deployId} and name = ${name}::text)
    then null else ${name}::text end)`.execute(tx);
}

/** The canister's log and everything else that belongs to it goes with it. */
export async function deleteCanisterRow(tx: Tx, canister: { id: string; userId: string }): Promise<void> {
  await tx
    .deleteFrom('canisters')
    .where('id', '=', canister.id)
    .where('user_id', '=', canister.userId)
    .execute();
}

/**
 * Makes way for a canister that the network has just created: a row with its id is left over from a network whose
 * state is gone, whoever owned it.
 */
export async function forgetFormerCanister(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('canisters').where('id', '=', id).execute();
}

export async function appendLog(
  tx: Tx,
  canister: { id: string; userId: string },
  state: Pick<CanisterState, 'status' | 'cycles' | 'moduleHash'>,
): Promise<void> {
  await tx
    .insertInto('canister_logs')
    .values({
      id: randomUUID(),
      canister_id: canister.id,
      user_id: canister.userId,
      cycles: state.cycles,
      module_hash: state.moduleHash,
      status: state.status,
    })
    .execute();
}

/** Most lines of a status log that one answer holds. */
const LOG_LIMIT = 1000;

/** Newest first. */
export async function listLogs(
  db: Reader,
  userId: string,
  canisterId: string,
): Promise<Selectable<CanisterLogsTable>[]> {
  return db
    .selectFrom('canister_logs')
    .selectAll()
    .where('canister_id', '=', canisterId)
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(LOG_LIMIT)
    .execute();
}
