import type { Db } from '../src/db/tx.ts';
import type { CrashParts, CrashSubject } from './crash-parts.ts';
import { countKeptAnswers, Findings, moduleOf } from './findings.ts';

/** What keeps modules under a name, and how its first and its next version are made. */
interface Keeper {
  readonly add: string;
  readonly update: string;
  /** What a request says beside the name. */
  body(identifier: string): object;
  /** The rows of a name, each with its module and version. */
  named(db: Db, name: string): Promise<readonly NamedRow[]>;
  /** Whose version a module is. */
  owners(db: Db, identifier: string): Promise<readonly string[]>;
}

interface NamedRow {
  readonly id: string;
  readonly identifier: string;
  readonly version: string;
}

const registries: Keeper = {
  add: '/registry/add',
  update: '/registry/update',
  body: (identifier) => ({ identifier }),
  async named(db, name) {
    const rows = await db.selectFrom('registries').selectAll().where('name', '=', name).execute();
    return rows.map((row) => ({ ...row, version: String(row.version) }));
  },
  async owners(db, identifier) {
    const rows = await db
      .selectFrom('registry_versions')
      .select('registry_id')
      .where('identifier', '=', identifier)
      .execute();
    return rows.map((row) => row.registry_id);
  },
};

const texts = { git_url: 'https://example.org/crash', description: 'Survives' };

const dapps: Keeper = {
  add: '/marketplace/submit',
  update: '/marketplace/update',
  body: (wasm) => ({ wasm, version: '1.0.0', ...texts }),
  async named(db, name) {
    const rows = await db.selectFrom('dapps').selectAll().where('name', '=', name).execute();
    return rows.map((row) => ({ ...row, identifier: row.wasm }));
  },
  async owners(db, identifier) {
    const rows = await db
      .selectFrom('dapp_versions')
      .select('dapp_id')
      .where('identifier', '=', identifier)
      .execute();
    return rows.map((row) => row.dapp_id);
  },
};

/** A module is kept as a new registry, or as the next version of one. */
export function keeping(parts: CrashParts, name: string, isUpdate: boolean): Promise<CrashSubject> {
  return subject(registries, parts, { name, isUpdate, version: isUpdate ? '2' : '1' });
}

/** A dapp is put into the marketplace, or gets its next version. */
export function offering(parts: CrashParts, name: string, isUpdate: boolean): Promise<CrashSubject> {
  return subject(dapps, parts, { name, isUpdate, version: '1.0.0' });
}

async function subject(
  keeper: Keeper,
  { api }: CrashParts,
  { name, isUpdate, version }: { name: string; isUpdate: boolean; version: string },
): Promise<CrashSubject> {
  const identifier = await api.uploadWasm(moduleOf(1000));
  let path = keeper.add;
  if (isUpdate) {
    const earlier = await api.uploadWasm(moduleOf(1000));
    const { body } = await api.post(keeper.add, { name: 'Before', ...keeper.body(earlier) });
    path = `${keeper.update}/${String(body.id ?? body.data)}`;
  }
  const body = { name, ...keeper.body(identifier) };
  return {
    act: () => api.post(path, body, { 'idempotency-key': name }),
    async look({ books, api: next }) {
      const findings = new Findings();
      const named = await keeper.named(books, name);
      const owners = await keeper.owners(books, identifier);
      const isDone = named.length > 0;
      const [row] = named;
      findings.equal('the number of entries', named.length, isDone ? 1 : 0);
      findings.equal('the number of versions', owners.length, named.length);
      findings.equal('the number of kept answers', await countKeptAnswers(books, name), named.length);
      findings.equal('the module', row?.identifier, isDone ? identifier : undefined);
      findings.equal('the version', row?.version, isDone ? version : undefined);
      findings.equal('whose version it is', owners[0], row?.id);
      if (isDone) {
        const { status } = await next.post(path, body, { 'idempotency-key': name });
        findings.equal('the repetition', status, 200);
        findings.equal('what it leaves', (await keeper.named(books, name)).length, 1);
        findings.equal('the versions it leaves', (await keeper.owners(books, identifier)).length, 1);
      }
      return { isDone, findings: findings.all };
    },
  };
}
