/**
 * Transfers of many clients on both ledgers at once, while the network is killed with SIGKILL: at the end each transfer has
 * happened once, every account has what it must have, and the sums are those of the beginning less the fees.
 *
 *     node canisters/system/test/ledger-kills.ts [--transfers 1000] [--clients 64] [--kills 5]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, parseArgs } from 'node:util';
import { Actor } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { NetworkProcess } from '../../../packages/network/test/network-process.ts';
import { cyclesLedger, icpLedger, type SystemCanister } from '../index.ts';
import { accountOf, connect, installSystem } from './system-network.ts';

export interface LoadOptions {
  readonly transfers: number;
  readonly clients: number;
  readonly kills: number;
}

export interface LoadReport {
  /** Transfers that were answered for the first time, and those that a later message found to have happened. */
  readonly answered: number;
  readonly found: number;
  readonly kills: number;
  readonly seconds: number;
  /** What is not as it must be. */
  readonly faults: readonly string[];
}

/** A ledger, and what its transfers cost. */
interface Token {
  readonly ledger: SystemCanister;
  readonly fee: bigint;
}

const TOKENS: readonly Token[] = [
  { ledger: icpLedger, fee: 10_000n },
  { ledger: cyclesLedger, fee: 100_000_000n },
];
/** What every client begins with on each ledger. */
const OPENING = 1_000_000_000_000n;
const RETRY_MS = 50;
/** A transfer that has no answer by then is lost. */
const PATIENCE_MS = 120_000;
const NANOS = 1_000_000n;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const transferArgs = IDL.Record({
  to: account,
  amount: IDL.Nat,
  memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
  created_at_time: IDL.Opt(IDL.Nat64),
});
const refusal = IDL.Variant({ Duplicate: IDL.Record({ duplicate_of: IDL.Nat }) });
const service: IDL.InterfaceFactory = () =>
  IDL.Service({
    icrc1_transfer: IDL.Func([transferArgs], [IDL.Variant({ Ok: IDL.Nat, Err: refusal })], []),
    icrc1_balance_of: IDL.Func([account], [IDL.Nat], ['query']),
    icrc1_total_supply: IDL.Func([], [IDL.Nat], ['query']),
    icrc3_get_blocks: IDL.Func(
      [IDL.Vec(IDL.Record({ start: IDL.Nat, length: IDL.Nat }))],
      [IDL.Record({ log_length: IDL.Nat })],
      ['query'],
    ),
  });

interface Ledger {
  icrc1_transfer(args: object): Promise<{ Ok: bigint } | { Err: object }>;
  icrc1_balance_of(of: object): Promise<bigint>;
  icrc1_total_supply(): Promise<bigint>;
  icrc3_get_blocks(ranges: object[]): Promise<{ log_length: bigint }>;
}

interface Transfer {
  readonly token: number;
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  readonly args: object;
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #dataDir: string;
  readonly #people: readonly Ed25519KeyIdentity[];
  readonly #faults: string[] = [];
  #network: NetworkProcess;
  #url = '';
  #answered = 0;
  #found = 0;
  #kills = 0;

  constructor(options: LoadOptions, dataDir: string) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#people = Array.from({ length: options.clients }, () => Ed25519KeyIdentity.generate());
    this.#network = new NetworkProcess(dataDir);
  }

  async run(): Promise<LoadReport> {
    try {
      this.#url = await this.#ready();
      const opening = this.#people.map((who) => ({ owner: who.getPrincipal(), amount: OPENING }));
      const options = { icp: opening, cycles: opening };
      await installSystem(this.#url, [icpLedger, cyclesLedger], options, Ed25519KeyIdentity.generate());
      const transfers = this.#plan();
      const begun = performance.now();
      const ofClient = this.#people.map((who, from) =>
        this.#send(
          who,
          transfers.filter((each) => each.from === from),
        ),
      );
      await Promise.all([...ofClient, this.#kill()]);
      const seconds = (performance.now() - begun) / 1_000;
      await this.#check(transfers);
      return {
        answered: this.#answered,
        found: this.#found,
        kills: this.#kills,
        seconds,
        faults: this.#faults,
      };
    } finally {
      await this.#network.end('SIGKILL');
    }
  }

  async #ready(): Promise<string> {
    const url = await this.#network.ready;
    if (url === undefined) throw new Error(`The network did not start: ${this.#network.errors}`);
    return url;
  }

  #plan(): Transfer[] {
    const created_at_time = [BigInt(Date.now()) * NANOS];
    return Array.from({ length: this.#options.transfers }, (_, index) => {
      const from = index % this.#people.length;
      const to = (from + 1 + (index % 7)) % this.#people.length;
      const amount = BigInt(1 + (index % 1_000));
      const memo = [new Uint8Array(Buffer.from(String(index)))];
      const args = { to: accountOf(this.#person(to)), amount, memo, created_at_time };
      return { token: Math.trunc(index / this.#people.length) % TOKENS.length, from, to, amount, args };
    });
  }

  #person(index: number): Ed25519KeyIdentity {
    const who = this.#people[index];
    if (who === undefined) throw new RangeError(`There is no client ${index}.`);
    return who;
  }

  /** The ledgers for a caller. Signatures of the network are those of other tests. */
  async #ledgers(who?: Ed25519KeyIdentity): Promise<Ledger[]> {
    const agent = await connect(this.#url, who);
    const blsVerify = async (): Promise<boolean> => true;
    return TOKENS.map(({ ledger }) =>
      Actor.createActor<Ledger>(service, { agent, canisterId: ledger.id, blsVerify }),
    );
  }

  /** Sends transfers one after the other, each again and again until an answer comes. */
  async #send(who: Ed25519KeyIdentity, transfers: readonly Transfer[]): Promise<void> {
    const ledgers = await this.#ledgers(who);
    for (const { token, args } of transfers) {
      const end = performance.now() + PATIENCE_MS;
      for (let done = false; !done; ) {
        try {
          const answer = await ledgers[token]?.icrc1_transfer(args);
          done = true;
          if (answer !== undefined && 'Ok' in answer) this.#answered += 1;
          else this.#found += 1;
        } catch (error) {
          if (performance.now() > end) {
            this.#faults.push(`no answer: ${String(error)}`);
            return;
          }
          await sleep(RETRY_MS);
        }
      }
    }
  }

  /** Kills the network at equal parts of the work, and starts it on what is left. */
  async #kill(): Promise<void> {
    const { kills, transfers } = this.#options;
    const port = Number(new URL(this.#url).port);
    while (this.#kills < kills) {
      const due = (transfers * (this.#kills + 1)) / (kills + 1);
      while (this.#answered + this.#found < due && this.#faults.length === 0) await sleep(1);
      await this.#network.end('SIGKILL');
      this.#kills += 1;
      this.#network = new NetworkProcess(this.#dataDir, { port });
      await this.#ready();
    }
  }

  async #check(transfers: readonly Transfer[]): Promise<void> {
    const { clients } = this.#options;
    for (const [token, ledger] of (await this.#ledgers()).entries()) {
      const fee = TOKENS[token]?.fee ?? 0n;
      const of = transfers.filter((each) => each.token === token);
      const expected = this.#people.map((_, index) =>
        of.reduce((sum, { from, to, amount }) => {
          const gone = from === index ? amount + fee : 0n;
          return sum - gone + (to === index ? amount : 0n);
        }, OPENING),
      );
      for (const [index, who] of this.#people.entries()) {
        const has = await ledger.icrc1_balance_of(accountOf(who));
        if (has !== expected[index])
          this.#faults.push(`ledger ${token}: client ${index} has ${has}, not ${expected[index]}`);
      }
      const supply = await ledger.icrc1_total_supply();
      const sum = OPENING * BigInt(clients) - fee * BigInt(of.length);
      if (supply !== sum) this.#faults.push(`ledger ${token}: there are ${supply} tokens, not ${sum}`);
      const { log_length } = await ledger.icrc3_get_blocks([]);
      if (log_length !== BigInt(clients + of.length))
        this.#faults.push(`ledger ${token}: ${log_length} blocks for ${clients + of.length} transactions`);
    }
  }
}

/** Runs in a temporary folder, which is kept when something was found. */
export async function ledgerKills(options: LoadOptions): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-ledger-kills-'));
  const report = await new LoadRun(options, folder).run();
  if (report.faults.length === 0) rmSync(folder, { recursive: true });
  return report;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      transfers: { type: 'string', default: '1000' },
      clients: { type: 'string', default: '64' },
      kills: { type: 'string', default: '5' },
    },
  });
  const report = await ledgerKills({
    transfers: Number(values.transfers),
    clients: Number(values.clients),
    kills: Number(values.kills),
  });
  process.stdout.write(`${inspect(report)}\n`);
  process.exit(report.faults.length === 0 ? 0 : 1);
}
