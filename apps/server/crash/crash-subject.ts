import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../src/db/tx.ts';
import type { FaultPoint } from '../src/fault-points.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import { isCanisterGone } from '../src/ic/ic-errors.ts';
import type { ApiClient } from '../test/client.ts';

const actions = ['create', 'topup', 'install', 'delete', 'registry', 'dapp'] as const;
export type Action = (typeof actions)[number];

/** What one crash is about: an action, and how to see what has become of it. */
export interface CrashSubject {
  /** Begins the action, during which the process dies. */
  act(): Promise<unknown>;
  /** Looks at the books and at the network, each for itself. */
  look(books: Db): Promise<{ readonly isDone: boolean; readonly findings: readonly string[] }>;
}

interface Parts {
  readonly api: ApiClient;
  readonly ic: IcClient;
  /** As they are before the action. */
  readonly books: Db;
}

const T = 1_000_000_000_000n;
const CREATION = 2n * T;
const TOP_UP_T = 3;
/** Beyond one message, so that it goes through the chunk store. */
const LARGE_MODULE_BYTES = 2_100_000;
/** Steps whose installation is of a large module. */
const LARGE: ReadonlySet<FaultPoint> = new Set(['install.chunked', 'install.answered']);

/** The action a step is part of. */
export function actionOf(point: FaultPoint): Action {
  const [action] = point.split('.');
  const known = actions.find((one) => one === action);
  if (known !== undefined) return known;
  throw new Error(`${point} is no step of an action.`);
}

/** Makes what the action needs, unless the action makes it itself. */
export async function subjectOf(action: Action, point: FaultPoint, parts: Parts): Promise<CrashSubject> {
  const name = `${point} ${randomBytes(4).toString('hex')}`;
  if (action === 'create') return creation(parts, name);
  if (action === 'registry') return keeping(parts, name, point.startsWith('registry.updat'));
  if (action === 'dapp') return offering(parts, name, point.startsWith('dapp.updat'));
  const id = await parts.api.create(name);
  if (action === 'topup') return topUp(parts, id);
  if (action === 'install') return installation(parts, id, LARGE.has(point));
  await parts.api.post('/canister/stop', { canister_id: id });
  return deletion(parts, id);
}

/** Balance of the only account. */
async function balanceOf(db: Db): Promise<bigint> {
  const { balance } = await db.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
  return balance;
}

async function isListed(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('canisters').select('id').where('id', '=', id).execute()).length > 0;
}

async function isOnNetwork(ic: IcClient, id: string): Promise<boolean> {
  try {
    await ic.status(id);
    return true;
  } catch (error) {
    if (isCanisterGone(error)) return false;
    throw error;
  }
}

/** Collects what does not hold. */
class Findings {
  readonly all: string[] = [];

  equal(what: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) this.all.push(`${what} is ${String(found)} and should be ${String(wanted)}`);
  }
}

async function creation({ api, ic, books }: Parts, name: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  return {
    act: () => api.create(name),
    async look(after) {
      const findings = new Findings();
      const rows = await after.selectFrom('canisters').select('id').where('name', '=', name).execute();
      const [row] = rows;
      findings.equal('the number of canisters', rows.length, row === undefined ? 0 : 1);
      findings.equal('what was paid', before - (await balanceOf(after)), row === undefined ? 0n : CREATION);
      if (row !== undefined) findings.equal('its cycles', (await ic.status(row.id)).cycles, CREATION);
      return { isDone: row !== undefined, findings: findings.all };
    },
  };
}

async function topUp({ api, ic, books }: Parts, id: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  return {
    act: () => api.post('/canister/topup', { canister_id: id, amount: TOP_UP_T }),
    async look(after) {
      const findings = new Findings();
      const paid = before - (await balanceOf(after));
      const isDone = paid !== 0n;
      findings.equal('what was paid', paid, isDone ? BigInt(TOP_UP_T) * T : 0n);
      findings.equal('what has arrived', (await ic.status(id)).cycles - CREATION, paid);
      findings.equal('the history', await changesOf(after, id), isDone ? 'created, topped_up' : 'created');
      return { isDone, findings: findings.all };
    },
  };
}

async function installation({ api, ic, books }: Parts, id: string, isLarge: boolean): Promise<CrashSubject> {
  const module = moduleOf(isLarge ? LARGE_MODULE_BYTES : 1000);
  const hash = createHash('sha256').update(module).digest('hex');
  const identifier = await api.uploadWasm(module);
  const before = await balanceOf(books);
  return {
    act: () => api.post('/canister/install', { canister_id: id, identifier, mode: 'install' }),
    async look(after) {
      const findings = new Findings();
      const installed = await ic.moduleHash(id);
      const row = await after.selectFrom('canisters').selectAll().where('id', '=', id).executeTakeFirst();
      const isDone = installed !== null;
      findings.equal('the code', installed, isDone ? hash : null);
      findings.equal('the code in the books', row?.module_hash ?? null, installed);
      findings.equal('the history', await changesOf(after, id), isDone ? 'created, installed' : 'created');
      findings.equal('what was paid', before - (await balanceOf(after)), 0n);
      return { isDone, findings: findings.all };
    },
  };
}

async function deletion({ api, ic, books }: Parts, id: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  return {
    act: () => api.post('/canister/delete', { canister_id: id }),
    async look(after) {
      const findings = new Findings();
      const isDone = !(await isOnNetwork(ic, id));
      findings.equal('whether it is listed', await isListed(after, id), !isDone);
      findings.equal('what came back', (await balanceOf(after)) - before, isDone ? CREATION : 0n);
      return { isDone, findings: findings.all };
    },
  };
}

/** A module is kept under a name: as a new registry, or as the next version of one. Sending it again repeats nothing. */
async function keeping({ api }: Parts, name: string, isUpdate: boolean): Promise<CrashSubject> {
  const identifier = await api.uploadWasm(moduleOf(1000));
  const earlier = isUpdate ? await api.uploadWasm(moduleOf(1000)) : undefined;
  const added = earlier && (await api.post('/registry/add', { name: 'Before', identifier: earlier })).body.id;
  const path = isUpdate ? `/registry/update/${String(added)}` : '/registry/add';
  return {
    act: () => api.post(path, { name, identifier }, { 'idempotency-key': name }),
    async look(after) {
      const findings = new Findings();
      const named = await after.selectFrom('registries').selectAll().where('name', '=', name).execute();
      const versions = await after
        .selectFrom('registry_versions')
        .selectAll()
        .where('identifier', '=', identifier)
        .execute();
      const keys = await after
        .selectFrom('kept_answers')
        .select('answer')
        .where('request_key', '=', name)
        .execute();
      const isDone = named.length > 0;
      const [row] = named;
      findings.equal('the number of registries', named.length, isDone ? 1 : 0);
      findings.equal('the number of versions', versions.length, named.length);
      findings.equal('the number of kept answers', keys.length, named.length);
      findings.equal('the module', row?.identifier, isDone ? identifier : undefined);
      findings.equal('the version', row?.version, isDone ? (isUpdate ? 2 : 1) : undefined);
      findings.equal('its row', versions[0]?.registry_id, row?.id);
      return { isDone, findings: findings.all };
    },
  };
}

/** A dapp is put into the marketplace, or gets its next version. Sending it again repeats nothing. */
async function offering({ api }: Parts, name: string, isUpdate: boolean): Promise<CrashSubject> {
  const wasm = await api.uploadWasm(moduleOf(1000));
  const texts = { git_url: 'https://example.org/crash', description: 'Survives', version: '1.0.0' };
  const before = isUpdate ? await api.uploadWasm(moduleOf(1000)) : undefined;
  const earlier =
    before && (await api.post('/marketplace/submit', { name: 'Before', wasm: before, ...texts })).body.data;
  const path = isUpdate ? `/marketplace/update/${String(earlier)}` : '/marketplace/submit';
  const act = () => api.post(path, { name, wasm, ...texts }, { 'idempotency-key': name });
  return {
    act,
    async look(after) {
      const findings = new Findings();
      const named = await after.selectFrom('dapps').selectAll().where('name', '=', name).execute();
      const versions = await after
        .selectFrom('dapp_versions')
        .selectAll()
        .where('identifier', '=', wasm)
        .execute();
      const keys = await after
        .selectFrom('kept_answers')
        .select('answer')
        .where('request_key', '=', name)
        .execute();
      const isDone = named.length > 0;
      const [row] = named;
      findings.equal('the number of dapps', named.length, isDone ? 1 : 0);
      findings.equal('the number of versions', versions.length, named.length);
      findings.equal('the number of kept answers', keys.length, named.length);
      findings.equal('the module', row?.wasm, isDone ? wasm : undefined);
      findings.equal('its version', versions[0]?.dapp_id, row?.id);
      findings.equal('what is answered', keys[0]?.answer, row?.id);
      return { isDone, findings: findings.all };
    },
  };
}

/** What happened to a canister, in order. */
async function changesOf(db: Db, id: string): Promise<string> {
  const rows = await db
    .selectFrom('canister_changes')
    .select('kind')
    .where('canister_id', '=', id)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind }) => kind).join(', ');
}

/** A module of its own that does nothing: the header, and a custom section named 'x' of random bytes. */
function moduleOf(bytes: number): Uint8Array {
  const length: number[] = [];
  for (let rest = bytes + 2; rest > 0; rest = Math.floor(rest / 128))
    length.push(rest >= 128 ? (rest % 128) + 128 : rest);
  const header = Buffer.from('\0asm\x01\0\0\0', 'latin1');
  return Buffer.concat([header, Buffer.from([0, ...length, 1, 0x78]), randomBytes(bytes)]);
}
