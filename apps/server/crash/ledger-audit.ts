import { Principal } from '@icp-sdk/core/principal';
import { eachOf } from '../src/fairness/each-of.ts';
import type { Db } from '../src/db/tx.ts';
import type { CanisterReport } from '../src/ic/management/canister-report.ts';
import type { IcClient } from '../src/ic/ic-client.ts';
import type { Customer, Intention } from './paying-client.ts';

const QUERIES_AT_ONCE = 16;

/** What the books and the network hold, compared with each other and with what the clients know. */
export class LedgerAudit {
  readonly findings: string[] = [];
  lines = 0;
  canisters = 0;
  /** Cycles on all canisters of the network. */
  onCanisters = 0n;
  /** Cycles that the books say were paid for canisters, fees included. */
  paid = 0n;
  readonly #db: Db;
  readonly #ic: IcClient;

  private constructor(db: Db, ic: IcClient) {
    this.#db = db;
    this.#ic = ic;
  }

  /**
   * Nothing may be under way meanwhile.
   * @param options.idsBeyond how many ids after the last known one are asked for: with as many as requests can have been
   * under way, a canister that nobody knows of is among them
   * @param options.fee what comes off each payment before it is on the canister; nothing where not given
   */
  static async run(
    db: Db,
    ic: IcClient,
    options: { customers: readonly Customer[]; idsBeyond: number; fee?: bigint },
  ): Promise<LedgerAudit> {
    const { customers, idsBeyond, fee = 0n } = options;
    const audit = new LedgerAudit(db, ic);
    await audit.#nothingUnderWay();
    await audit.#entries();
    for (const customer of customers) await audit.#customer(customer);
    await audit.#network(idsBeyond, fee);
    return audit;
  }

  #expect(isTrue: boolean, finding: () => string): void {
    if (!isTrue) this.findings.push(finding());
  }

  async #nothingUnderWay(): Promise<void> {
    for (const table of ['intents', 'holds'] as const) {
      const rows = await this.#db.selectFrom(table).select('id').execute();
      this.#expect(rows.length === 0, () => `${rows.length} ${table} are still open`);
    }
    const accounts = await this.#db.selectFrom('accounts').selectAll().execute();
    for (const { user_id, balance, held } of accounts) {
      this.#expect(held === 0n, () => `${held} cycles of ${user_id} are still held`);
      this.#expect(balance >= 0n, () => `the balance of ${user_id} is ${balance}`);
    }
  }

  /** Both sides of every movement: together nothing, and on the side of the users exactly their balances. */
  async #entries(): Promise<void> {
    const entries = await this.#db.selectFrom('ledger_entries').selectAll().execute();
    const sums = new Map<string, bigint>();
    for (const { account, amount } of entries) sums.set(account, (sums.get(account) ?? 0n) + amount);
    const total = [...sums.values()].reduce((sum, each) => sum + each, 0n);
    this.#expect(total === 0n, () => `all entries together are ${total}`);
    const accounts = await this.#db.selectFrom('accounts').selectAll().execute();
    for (const { user_id, balance } of accounts) {
      const sum = sums.get(`user:${user_id}`) ?? 0n;
      this.#expect(
        sum === balance,
        () => `the entries of ${user_id} sum to ${sum}, its balance is ${balance}`,
      );
    }
    const owned = accounts.reduce((sum, { balance }) => sum + balance, 0n);
    const moved = [...sums].filter(([name]) => name.startsWith('canister:'));
    const onCanisters = moved.reduce((sum, [, amount]) => sum + amount, 0n);
    const deposited = -(sums.get('deposits') ?? 0n);
    this.#expect(
      owned + onCanisters === deposited,
      () => `${deposited} were deposited, ${owned} are on accounts and ${onCanisters} on canisters`,
    );
  }

  async #customer({ name, canisters, intentions }: Customer): Promise<void> {
    const { id } = await this.#db
      .selectFrom('users')
      .select('id')
      .where('username', '=', name)
      .executeTakeFirstOrThrow();
    const lines = await this.#db
      .selectFrom('transactions')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('seq')
      .execute();
    this.lines += lines.length;
    let balance = 0n;
    for (const line of lines) {
      this.#expect(
        line.balance_before === balance,
        () => `${name}, line ${line.seq} begins at ${line.balance_before}, the one before ends at ${balance}`,
      );
      balance += line.transaction_type === 'CREDIT' ? line.amount : -line.amount;
      this.#expect(
        line.balance_after === balance,
        () => `${name}, line ${line.seq} ends at ${line.balance_after}`,
      );
    }
    const paid = new Map(
      intentions.flatMap((each) =>
        each.outcome && 'paid' in each.outcome ? [[each.key, each] as const] : [],
      ),
    );
    for (const line of lines.filter(({ transaction_type }) => transaction_type === 'DEBIT')) {
      const intention = paid.get(line.request_key ?? '');
      this.#expect(
        intention !== undefined && isPaidBy(intention, line),
        () => `${name}, line ${line.seq} pays for what no client knows: ${line.request_key}`,
      );
      paid.delete(line.request_key ?? '');
    }
    this.#expect(
      paid.size === 0,
      () => `${name}: answered, but not in the books: ${[...paid.keys()].join()}`,
    );
    const rows = await this.#db.selectFrom('canisters').select('id').where('user_id', '=', id).execute();
    const listed = new Set(rows.map((row) => row.id));
    this.#expect(
      listed.size === canisters.length && canisters.every((canister) => listed.has(canister)),
      () => `${name} has ${listed.size} canisters, and was told of ${canisters.length}`,
    );
  }

  /** Every canister has what the books say, and there is none besides. */
  async #network(idsBeyond: number, fee: bigint): Promise<void> {
    const booked = await this.#db
      .selectFrom('ledger_entries')
      .select(({ fn }) => [
        'account',
        fn.sum<bigint>('amount').as('cycles'),
        fn.countAll<bigint>().as('payments'),
      ])
      .where('account', 'like', 'canister:%')
      .groupBy('account')
      .execute();
    const queue = booked.map(({ account, cycles, payments }) => ({
      id: account.slice('canister:'.length),
      cycles: cycles - BigInt(payments) * fee,
    }));
    this.paid = booked.reduce((sum, { cycles }) => sum + cycles, 0n);
    const indices = queue.map(({ id }) => indexOf(id));
    const [first, last] = [Math.min(...indices), Math.max(...indices)];
    this.canisters = queue.length;
    this.#expect(
      queue.length === 0 || last - first + 1 === queue.length,
      () => `${queue.length} canisters are in the books, ids go from ${first} to ${last}`,
    );
    const beyond =
      queue.length === 0 ? [] : Array.from({ length: idsBeyond }, (_, index) => last + 1 + index);
    await eachOf(queue, QUERIES_AT_ONCE, async ({ id, cycles }) => {
      const found = (await this.#statusOf(id))?.cycles ?? 0n;
      this.onCanisters += found;
      this.#expect(found === cycles, () => `${id} has ${found} cycles, by the books ${cycles}`);
    });
    await eachOf(beyond, QUERIES_AT_ONCE, async (index) => {
      const isThere = (await this.#statusOf(idOf(index))) !== undefined;
      this.#expect(!isThere, () => `nobody has paid for ${idOf(index)}`);
    });
  }

  /** Undefined where there is no such canister. */
  async #statusOf(id: string): Promise<CanisterReport | undefined> {
    try {
      return await this.#ic.status(id, { fast: true });
    } catch (error) {
      if ((await this.#ic.certified(id)).standing === 'gone') return undefined;
      throw error;
    }
  }
}

interface Line {
  readonly transaction_name: string;
  readonly amount: bigint;
  readonly counter_account: string;
}

function isPaidBy({ canisterId, amount, outcome }: Intention, line: Line): boolean {
  if (outcome === undefined || !('paid' in outcome)) return false;
  if (line.counter_account !== `canister:${outcome.paid}`) return false;
  if (canisterId === undefined || amount === undefined) return line.transaction_name === 'CANISTER_CREATE';
  const cycles = BigInt(Math.round(amount * 100)) * 10_000_000_000n;
  return line.transaction_name === 'CANISTER_TOPUP' && line.amount === cycles;
}

/** A canister id is an 8-byte number and two bytes that are always 1. */
function indexOf(id: string): number {
  return Number(Buffer.from(Principal.fromText(id).toUint8Array()).readBigUInt64BE());
}

function idOf(index: number): string {
  const bytes = Buffer.alloc(10, 1);
  bytes.writeBigUInt64BE(BigInt(index));
  return Principal.fromUint8Array(bytes).toText();
}
