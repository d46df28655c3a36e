import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { idlFactory as cmcInterface } from '../../../node_modules/@icp-sdk/canisters/declarations/cmc/cmc.idl.js';
import { idlFactory as cyclesInterface } from '../../../node_modules/@icp-sdk/canisters/declarations/cycles-ledger/cycles-ledger.idl.js';
import { idlFactory as icpInterface } from '../../../node_modules/@icp-sdk/canisters/declarations/ledger-icp/ledger.idl.js';
import { createActor } from '../../../packages/network/src/test-network/actor.ts';
import { CallRejectedError, TestNetwork } from '../../../packages/network/src/test-network/test-network.ts';
import { cyclesMintingCanister } from '../cmc/index.ts';
import { accountIdentifier, cyclesLedger, icpLedger } from '../index.ts';
import { accountOf, T } from './system-network.ts';

const [LEDGER, ICP, CMC] = [cyclesLedger, icpLedger, cyclesMintingCanister(Principal.anonymous())].map(
  ({ id }) => Principal.fromText(id),
) as [Principal, Principal, Principal];
/** No canister has it. */
const NOBODY = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 0, 30, 132, 128, 1, 1));
const MEMOS = { create: 0x41455243n, topUp: 0x50555054n, mint: 0x544e494dn };
const CYCLES_FEE = 100_000_000n;
const ICP_FEE = 10_000n;
const MINUTE_NANOS = 60_000_000_000n;
const HOUR_MILLIS = 3_600_000;
const SUBACCOUNT = Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? 1 : 0));

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;
type Answer = { readonly Ok?: unknown; readonly Err?: Record<string, unknown> };

/** A repeatable sequence of numbers below `most`. */
function sequence(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
}

const bare = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** People who do things at random on the three canisters, several at the same time, and what they have had in answer. */
class Market {
  readonly #network: TestNetwork;
  readonly #next: (most: number) => number;
  readonly people = [1, 2, 3].map((n) => Principal.selfAuthenticating(Uint8Array.of(n)));
  /** Canisters that were made, and who controls each. */
  readonly made = new Map<string, Principal>();
  readonly #deleted = new Set<string>();
  /** Cycles that went with canisters that were deleted. */
  lost = 0n;
  /** What each payment in ICP has come to, by its block. */
  readonly outcomes = new Map<bigint, bigint>();
  readonly #payments: {
    block: bigint;
    kind: keyof typeof MEMOS;
    payer: Principal;
    sender: Principal;
    e8s: bigint;
  }[] = [];
  /** How often a transaction with a time was carried out. */
  readonly happened = new Map<string, number>();
  readonly #timed: [Principal, 'cycles' | 'icp', string, object][] = [];

  constructor(network: TestNetwork, seed: number) {
    this.#network = network;
    this.#next = sequence(seed);
  }

  /** Calls of one person; they are let in at once, and run beside those of others. */
  of(sender: Principal, ledger: 'cycles' | 'icp' | 'cmc'): Methods {
    const [id, idl] = (
      { cycles: [LEDGER, cyclesInterface], icp: [ICP, icpInterface], cmc: [CMC, cmcInterface] } as const
    )[ledger];
    return createActor<Methods>(idl as IDL.InterfaceFactory, {
      update: async (method, arg) => (await this.#network.submit(id, method, arg, { sender })).reply(),
      query: (method, arg) => this.#network.query(id, method, arg, { sender }),
    });
  }

  get accounts() {
    const own = [...this.people, Principal.anonymous()];
    return own.flatMap((owner) => [accountOf(owner), accountOf(owner, SUBACCOUNT)]);
  }

  #one<Value>(values: readonly Value[]): Value {
    return values[this.#next(values.length)] as Value;
  }

  #person(): Principal {
    return this.#one(this.people);
  }

  #account() {
    return accountOf(this.#person(), this.#next(3) === 0 ? SUBACCOUNT : undefined);
  }

  #amount(unit: bigint, fee: bigint): bigint {
    return this.#one([
      0n,
      1n,
      fee - 1n,
      fee,
      fee + 1n,
      2n * fee + 1n,
      unit,
      unit,
      3n * unit,
      7n * unit,
      10n ** 30n,
    ]);
  }

  /** Often none; else now, at the ends of the window, or beyond. */
  #time(): [] | [bigint] {
    if (this.#next(3) > 0) return [];
    const now = this.#network.time();
    return [
      now +
        this.#one([
          0n,
          0n,
          MINUTE_NANOS,
          MINUTE_NANOS,
          3n * MINUTE_NANOS,
          -24n * 60n * MINUTE_NANOS,
          -24n * 63n * MINUTE_NANOS,
        ]),
    ];
  }

  #canister(): Principal {
    return Principal.fromText(
      this.#one([NOBODY.toText(), 'aaaaa-aa', LEDGER.toText(), CMC.toText(), ...this.made.keys()]),
    );
  }

  async #call(who: Principal, ledger: 'cycles' | 'icp', method: string, args: object): Promise<void> {
    const isTimed = (args as { created_at_time?: unknown[] }).created_at_time?.length === 1;
    if (isTimed) this.#timed.push([who, ledger, method, args]);
    const answer = (await this.of(who, ledger)[method]?.(args)) as Answer;
    if (!answer || !('Ok' in answer)) return;
    const key = `${who.toText()} ${ledger} ${method} ${JSON.stringify(args, bare)}`;
    if (isTimed) this.happened.set(key, (this.happened.get(key) ?? 0) + 1);
    const { canister_id: id } = answer.Ok as { canister_id?: Principal };
    if (id) this.#make(id, who);
  }

  /** One thing that somebody does. */
  deed(): Promise<void> {
    const [who, from_subaccount, created_at_time] = [
      this.#person(),
      this.#next(3) === 0 ? [SUBACCOUNT] : [],
      this.#time(),
    ];
    const ledger = this.#one(['cycles', 'cycles', 'icp'] as const);
    const amount = ledger === 'icp' ? this.#amount(10n ** 8n, ICP_FEE) : this.#amount(T, CYCLES_FEE);
    const plain = { fee: [], memo: [], created_at_time };
    const creation_args = this.#one([
      [],
      [],
      [{ settings: [], subnet_selection: [{ Subnet: { subnet: NOBODY } }] }],
      [
        {
          settings: [
            {
              controllers: [],
              compute_allocation: [101n],
              memory_allocation: [],
              freezing_threshold: [],
              reserved_cycles_limit: [],
            },
          ],
          subnet_selection: [],
        },
      ],
    ]);
    switch (this.#next(10)) {
      case 0:
        return this.#call(who, ledger, 'icrc1_transfer', {
          ...plain,
          from_subaccount,
          to: this.#account(),
          amount,
        });
      case 1: {
        const expires_at = this.#one([[], [this.#network.time() + 2n * MINUTE_NANOS], [0n]]);
        const expected_allowance = this.#one([[], [0n], [amount]]);
        return this.#call(who, ledger, 'icrc2_approve', {
          ...plain,
          from_subaccount,
          spender: this.#account(),
          amount,
          expected_allowance,
          expires_at,
        });
      }
      case 2:
        return this.#call(who, ledger, 'icrc2_transfer_from', {
          ...plain,
          spender_subaccount: from_subaccount,
          from: this.#account(),
          to: this.#account(),
          amount,
        });
      case 3:
        return this.#call(who, 'cycles', 'withdraw', {
          from_subaccount,
          created_at_time,
          amount,
          to: this.#canister(),
        });
      case 4:
        return this.#call(who, 'cycles', 'withdraw_from', {
          spender_subaccount: from_subaccount,
          from: this.#account(),
          created_at_time,
          amount,
          to: this.#canister(),
        });
      case 5:
        return this.#call(who, 'cycles', 'create_canister', {
          from_subaccount,
          created_at_time,
          amount,
          creation_args,
        });
      case 6:
        return this.#call(who, 'cycles', 'create_canister_from', {
          spender_subaccount: from_subaccount,
          from: this.#account(),
          created_at_time,
          amount,
          creation_args,
        });
      case 7:
        return this.#pay();
      case 8: {
        const again = this.#timed.length > 0 ? this.#one(this.#timed) : undefined;
        return again ? this.#call(...again) : Promise.resolve();
      }
      default:
        return this.#payments.length > 0 ? this.notify(this.#one(this.#payments)) : Promise.resolve();
    }
  }

  async #pay(): Promise<void> {
    const [sender, kind] = [this.#person(), this.#one(['create', 'topUp', 'mint'] as const)];
    const payer = kind === 'topUp' ? this.#canister() : sender;
    const e8s = this.#one([0n, 1n, ICP_FEE, 3n * ICP_FEE, 5n * ICP_FEE + 1n, 10n ** 8n]);
    const args = {
      to: Buffer.from(accountIdentifier(CMC, subaccountOf(payer)), 'hex'),
      memo: this.#next(6) === 0 ? 7n : MEMOS[kind],
      amount: { e8s },
      fee: { e8s: ICP_FEE },
      from_subaccount: [],
      created_at_time: [],
    };
    const answer = (await this.of(sender, 'icp')['transfer']?.(args)) as Answer;
    if ('Ok' in answer) this.#payments.push({ block: answer.Ok as bigint, kind, payer, sender, e8s });
  }

  /** Tells the CMC of a payment, perhaps as another one than it is. */
  async notify(
    { block, kind, payer, sender, e8s }: (typeof this.payments)[number],
    isHonest = false,
  ): Promise<void> {
    const said = isHonest || this.#next(4) > 0 ? kind : this.#one(['create', 'topUp', 'mint'] as const);
    const cmc = this.of(sender, 'cmc');
    const none = { subnet_type: [], subnet_selection: [], settings: [] };
    const answer = (await (said === 'topUp'
      ? cmc['notify_top_up']?.({ block_index: block, canister_id: payer })
      : said === 'create'
        ? cmc['notify_create_canister']?.({ ...none, block_index: block, controller: sender })
        : cmc['notify_mint_cycles']?.({
            block_index: block,
            to_subaccount: [],
            deposit_memo: [],
          }))) as Answer;
    if (!('Ok' in answer)) return;
    if (said === 'create') this.#make(answer.Ok as Principal, sender);
    this.outcomes.set(block, e8s * 35_200n);
  }

  /** Who asks again hears of a canister that may be gone. */
  #make(id: Principal, controller: Principal): void {
    if (!this.#deleted.has(id.toText())) this.made.set(id.toText(), controller);
  }

  get payments() {
    return this.#payments;
  }

  /** Stops and deletes a canister that was made. */
  async deleteOne(): Promise<void> {
    if (this.made.size === 0) return;
    const [text, controller] = this.#one([...this.made]);
    const canister_id = Principal.fromText(text);
    await this.#network.management('stop_canister', { canister_id }, { sender: controller });
    this.lost += (await this.#network.canister(canister_id))?.cycles ?? 0n;
    await this.#network.management('delete_canister', { canister_id }, { sender: controller });
    this.made.delete(text);
    this.#deleted.add(text);
  }
}

/** As the CMC knows the accounts of who pays it. */
function subaccountOf(id: Principal): Uint8Array {
  const bytes = new Uint8Array(32);
  const own = id.toUint8Array();
  bytes[0] = own.length;
  bytes.set(own, 1);
  return bytes;
}

const refusedIsFine = (error: unknown): void => {
  if (!(error instanceof CallRejectedError)) throw error;
};

test.each([1, 2])(
  'no cycles and no ICP are made or lost, whatever people do at once (%i)',
  async (seed) => {
    await using network = await TestNetwork.open({
      seed,
      fees: 'free',
      services: ['icp-ledger', 'cycles-ledger', 'cmc'],
    });
    const market = new Market(network, seed);
    const cycles = async (id: Principal): Promise<bigint> => (await network.canister(id))?.cycles ?? 0n;
    const everything = async (): Promise<bigint> => {
      let sum = market.lost;
      for (const id of [LEDGER, ICP, CMC, ...[...market.made.keys()].map((text) => Principal.fromText(text))])
        sum += await cycles(id);
      return sum;
    };
    const sumOf = async (ledger: 'cycles' | 'icp'): Promise<bigint> => {
      const methods = market.of(Principal.anonymous(), ledger);
      const payers =
        ledger === 'icp' ? market.payments.map(({ payer }) => accountOf(CMC, subaccountOf(payer))) : [];
      const known = new Map(
        [...market.accounts, ...payers].map((each) => [
          JSON.stringify(each, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value)),
          each,
        ]),
      );
      let sum = 0n;
      for (const account of known.values()) sum += (await methods['icrc1_balance_of']?.(account)) as bigint;
      return sum;
    };
    const supplyOf = (ledger: 'cycles' | 'icp'): Promise<bigint> =>
      market.of(Principal.anonymous(), ledger)['icrc1_total_supply']?.() as Promise<bigint>;

    for (const owner of market.people) {
      const give = { from_subaccount: [], to: accountOf(owner), fee: [], memo: [], created_at_time: [] };
      await market.of(Principal.anonymous(), 'cycles')['icrc1_transfer']?.({ ...give, amount: 50n * T });
      await market.of(Principal.anonymous(), 'icp')['icrc1_transfer']?.({ ...give, amount: 20n * 10n ** 8n });
    }
    const [start, stock] = [await everything(), await cycles(CMC)];
    let own = (await cycles(LEDGER)) - (await supplyOf('cycles'));
    const look = async (when: string): Promise<void> => {
      expect(await everything(), `all cycles ${when}`).toBe(start);
      for (const ledger of ['cycles', 'icp'] as const)
        expect(await sumOf(ledger), `${ledger} ${when}`).toBe(await supplyOf(ledger));
      const left = (await cycles(LEDGER)) - (await supplyOf('cycles'));
      expect(left, `cycles that no account stands for ${when}`).toBeGreaterThanOrEqual(own);
      own = left;
      for (const [what, times] of market.happened) expect(times, what).toBe(1);
    };
    for (let batch = 0; batch < 16; batch += 1) {
      await Promise.all(Array.from({ length: 12 }, () => market.deed().catch(refusedIsFine)));
      await network.tick(2);
      await look(`after batch ${batch}`);
      if (batch % 4 === 1) await market.deleteOne();
      if (batch % 3 === 2) await network.advance(HOUR_MILLIS * (batch === 11 ? 25 : 1));
    }
    // Who has not told of a payment does so now; twice at once it counts once.
    await Promise.all(
      [...market.payments, ...market.payments].map((each) => market.notify(each, true).catch(refusedIsFine)),
    );
    await look('at the end');
    const given = [...market.outcomes.values()].reduce((sum, each) => sum + each, 0n);
    // What was withdrawn to the CMC came to its stock.
    expect(stock - (await cycles(CMC))).toBeLessThanOrEqual(given);
    expect(market.happened.size).toBeGreaterThan(3);
    expect(market.outcomes.size).toBeGreaterThan(1);
  },
  300_000,
);
