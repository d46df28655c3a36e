import { createHash } from 'node:crypto';
import type { Db } from '../src/db/tx.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import type { ApiClient } from '../test/support/client.ts';
import type { CrashParts, CrashSubject } from './crash-parts.ts';
import {
  balanceOf,
  changesOf,
  Findings,
  LARGE_MODULE_BYTES,
  moduleOf,
  originOf,
  SMALL_MODULE_BYTES,
} from './findings.ts';

const T = 1_000_000_000_000n;
const CREATION = 2n * T;
const TOP_UP_T = 3;

async function isListed(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('canisters').select('id').where('id', '=', id).execute()).length > 0;
}

async function isOnNetwork(ic: IcClient, id: string): Promise<boolean> {
  return (await ic.certified(id)).standing !== 'gone';
}

/** The first of the two requests that install a dapp; sending it again pays for nothing. */
export async function creation({ api, ic, books }: CrashParts, name: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  const act = (client: ApiClient) => client.post('/canister/create', { name }, { 'idempotency-key': name });
  return {
    act: () => act(api),
    async look({ books: after, api: next }) {
      const findings = new Findings();
      const rows = () => after.selectFrom('canisters').select('id').where('name', '=', name).execute();
      const [row, ...others] = await rows();
      findings.equal('the number of other canisters', others.length, 0);
      findings.equal('what was paid', before - (await balanceOf(after)), row === undefined ? 0n : CREATION);
      if (row !== undefined) {
        findings.equal('its cycles', (await ic.status(row.id)).cycles, CREATION);
        const { body } = await act(next);
        findings.equal('the repetition', (body.data as { canister_id?: string }).canister_id, row.id);
        findings.equal('what was paid with it', before - (await balanceOf(after)), CREATION);
        findings.equal('the canisters with it', (await rows()).length, 1);
      }
      return { isDone: row !== undefined, findings: findings.all };
    },
  };
}

export async function topUp({ api, ic, books }: CrashParts, id: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  return {
    act: () => api.post('/canister/topup', { canister_id: id, amount: TOP_UP_T }),
    async look({ books: after }) {
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

/** The second of the two requests that install a dapp; sending it again counts as the same installation. */
export async function installation(
  { api, ic, books }: CrashParts,
  { id, name, isLarge }: { id: string; name: string; isLarge: boolean },
): Promise<CrashSubject> {
  const module = moduleOf(isLarge ? LARGE_MODULE_BYTES : SMALL_MODULE_BYTES);
  const hash = createHash('sha256').update(module).digest('hex');
  const identifier = await api.uploadWasm(module);
  const texts = { git_url: 'https://example.org/crash', description: 'Survives', version: '1.0.0' };
  const { body: submitted } = await api.post('/marketplace/submit', { name, wasm: identifier, ...texts });
  const before = await balanceOf(books);
  const request = { canister_id: id, identifier, mode: 'install' };
  const headers = { 'idempotency-key': name, 'code-origin': `dapp ${String(submitted.data)}` };
  const act = (client: ApiClient) => client.post('/canister/install', request, headers);
  return {
    act: () => act(api),
    async look({ books: after, api: next }) {
      const findings = new Findings();
      const installed = await ic.moduleHash(id);
      const row = await after.selectFrom('canisters').selectAll().where('id', '=', id).executeTakeFirst();
      const isDone = installed !== null;
      findings.equal('the code', installed, isDone ? hash : null);
      findings.equal('the code in the books', row?.module_hash ?? null, installed);
      findings.equal('its origin', await originOf(after, id), isDone ? `dapp 1.0.0 ${hash}` : 'empty null');
      findings.equal('what was paid', before - (await balanceOf(after)), 0n);
      if (isDone) findings.equal('the repetition', (await act(next)).status, 200);
      findings.equal('the history', await changesOf(after, id), isDone ? 'created, installed' : 'created');
      findings.equal('the number of installations', await installsOf(after, name), isDone ? 1 : 0);
      return { isDone, findings: findings.all };
    },
  };
}

async function installsOf(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('dapps').select('installs').where('name', '=', name).executeTakeFirst();
  return row === undefined ? undefined : Number(row.installs);
}

export async function deletion({ api, ic, books }: CrashParts, id: string): Promise<CrashSubject> {
  const before = await balanceOf(books);
  return {
    act: () => api.post('/canister/delete', { canister_id: id }),
    async look({ books: after }) {
      const findings = new Findings();
      const isDone = !(await isOnNetwork(ic, id));
      findings.equal('whether it is listed', await isListed(after, id), !isDone);
      findings.equal('what came back', (await balanceOf(after)) - before, isDone ? CREATION : 0n);
      return { isDone, findings: findings.all };
    },
  };
}
