import { createHash } from 'node:crypto';
import type { Db } from '../src/db/tx.ts';
import type { ApiClient } from '../test/support/client.ts';
import type { CrashParts, CrashSubject } from './crash-parts.ts';
import {
  balanceOf,
  countKeptAnswers,
  Findings,
  LARGE_MODULE_BYTES,
  moduleOf,
  originOf,
  SMALL_MODULE_BYTES,
} from './findings.ts';

const texts = { git_url: 'https://example.org/crash', description: 'Survives' };

/** A canister that runs the earlier of two versions of a dapp. */
interface Instance {
  readonly id: string;
  readonly first: string;
  readonly second: string;
}

/** Installs past the console, whose process dies at its next installation, and writes down what that would have. */
async function instanceOf(
  { api, ic, books }: CrashParts,
  { id, name, bytes = SMALL_MODULE_BYTES }: { id: string; name: string; bytes?: number },
): Promise<Instance> {
  const modules = [moduleOf(SMALL_MODULE_BYTES), moduleOf(bytes)] as const;
  const [first, second] = [await api.uploadWasm(modules[0]), await api.uploadWasm(modules[1])];
  const { body } = await api.post('/marketplace/submit', { name, wasm: first, version: '1.0.0', ...texts });
  await api.post(`/marketplace/update/${String(body.data)}`, { wasm: second, version: '2.0.0' });
  const request = { canisterId: id, wasm: modules[0], arg: new Uint8Array(), mode: 'install' } as const;
  await ic.submit(await ic.signInstall(request));
  await api.get(`/canister/status/${id}/?real_time=true`);
  const { id: versionId } = await books
    .selectFrom('dapp_versions')
    .select('id')
    .where('identifier', '=', first)
    .executeTakeFirstOrThrow();
  const dappId = String(body.data);
  const origin = { kind: 'dapp', dappId, versionId, name, version: '1.0.0', publisher: 'ada' } as const;
  await books
    .updateTable('canisters')
    .set({ origin: JSON.stringify(origin), origin_hash: first })
    .where('id', '=', id)
    .execute();
  return { id, first, second };
}

/** An upgrade of a canister that has a way back from an earlier one already. */
export async function upgrade(
  parts: CrashParts,
  { id, name, isLarge }: { id: string; name: string; isLarge: boolean },
): Promise<CrashSubject> {
  const { api, ic, books } = parts;
  const bytes = isLarge ? LARGE_MODULE_BYTES : SMALL_MODULE_BYTES;
  const { first, second } = await instanceOf(parts, { id, name, bytes });
  await ic.stop(id);
  const { id: earlier } = await ic.snapshots.take(id);
  await ic.start(id);
  const { user_id } = await books.selectFrom('accounts').select('user_id').executeTakeFirstOrThrow();
  const version = { version: '0.9.0', module_hash: createHash('sha256').digest('hex') };
  const kept = { canister_id: id, user_id, snapshot_id: earlier, ...version };
  await books.insertInto('dapp_upgrades').values(kept).execute();
  const before = await balanceOf(books);
  const act = (client: ApiClient) =>
    client.post('/marketplace/upgrade', { canister_id: id, identifier: second }, { 'idempotency-key': name });
  return {
    act: () => act(api),
    async look({ books: after, api: next }) {
      const findings = new Findings();
      const { status, moduleHash, memory } = await ic.status(id);
      const isDone = moduleHash === second;
      const snapshots = (await ic.snapshots.list(id)).map((snapshot) => snapshot.id);
      const way = await after
        .selectFrom('dapp_upgrades')
        .selectAll()
        .where('canister_id', '=', id)
        .executeTakeFirst();
      findings.equal('the canister', status, 'running');
      findings.equal('its code', moduleHash, isDone ? second : first);
      findings.equal('the canister in the books', await inBooks(after, id), `running ${moduleHash}`);
      findings.equal('its origin', await originOf(after, id), `dapp ${isDone ? '2' : '1'}.0.0 ${moduleHash}`);
      findings.equal('bytes of chunks', memory.wasmChunkStore, 0n);
      findings.equal('the number of snapshots', snapshots.length, 1);
      findings.equal('whether the earlier one is there', snapshots.includes(earlier), !isDone);
      findings.equal('the way back', way?.snapshot_id, snapshots[0]);
      findings.equal('the code to go back to', way?.module_hash, isDone ? first : version.module_hash);
      findings.equal('what was paid', before - (await balanceOf(after)), 0n);
      findings.equal('the number of kept answers', await countKeptAnswers(after, name), isDone ? 1 : 0);
      if (isDone) findings.equal('the repetition', (await act(next)).status, 200);
      return { isDone, findings: findings.all };
    },
  };
}

/** The way back from an upgrade. */
export async function wayBack(
  parts: CrashParts,
  { id, name }: { id: string; name: string },
): Promise<CrashSubject> {
  const { api, ic, books } = parts;
  const { first, second } = await instanceOf(parts, { id, name });
  await api.post('/marketplace/upgrade', { canister_id: id, identifier: second });
  const before = await balanceOf(books);
  const act = (client: ApiClient) =>
    client.post('/marketplace/back', { canister_id: id }, { 'idempotency-key': name });
  return {
    act: () => act(api),
    async look({ books: after, api: next }) {
      const findings = new Findings();
      const { status, moduleHash } = await ic.status(id);
      const isDone = moduleHash === first;
      const ways = await after
        .selectFrom('dapp_upgrades')
        .select('snapshot_id')
        .where('canister_id', '=', id)
        .execute();
      findings.equal('the canister', status, 'running');
      findings.equal('its code', moduleHash, isDone ? first : second);
      findings.equal('the canister in the books', await inBooks(after, id), `running ${moduleHash}`);
      findings.equal('its origin', await originOf(after, id), `dapp ${isDone ? '1' : '2'}.0.0 ${moduleHash}`);
      findings.equal('the number of snapshots', (await ic.snapshots.list(id)).length, isDone ? 0 : 1);
      findings.equal('the number of ways back', ways.length, isDone ? 0 : 1);
      findings.equal('what was paid', before - (await balanceOf(after)), 0n);
      findings.equal('the number of kept answers', await countKeptAnswers(after, name), isDone ? 1 : 0);
      if (isDone) findings.equal('the repetition', (await act(next)).status, 200);
      return { isDone, findings: findings.all };
    },
  };
}

async function inBooks(db: Db, id: string): Promise<string> {
  const row = await db
    .selectFrom('canisters')
    .select(['status', 'module_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
  return `${row?.status} ${row?.module_hash}`;
}
