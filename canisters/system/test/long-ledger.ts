/**
 * Ledgers with many blocks: whether transfers stay as fast as at first, what the blocks take of memory, and what an answer with many of
 * them costs and weighs.
 *
 *     node canisters/system/test/long-ledger.ts [--blocks 20000]
 */
import { inspect, parseArgs } from 'node:util';
import { TestNetwork } from '@cannery/network/test-network';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { cyclesLedger, icpLedger, type SystemCanister } from '../index.ts';

/** Half of what the Internet Computer lets a query use: no answer here may need more. */
const QUERY_INSTRUCTIONS = 2_500_000_000n;
/** Transfers between two looks at the time. */
const STRETCH = 100;
const ACCOUNTS = 1_000;
const MIB = 1024 ** 2;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const transferArgs = IDL.Record({
  to: account,
  amount: IDL.Nat,
  memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
  created_at_time: IDL.Opt(IDL.Nat64),
});
const transferred = IDL.Variant({ Ok: IDL.Nat, Err: IDL.Reserved });
const nat64Range = IDL.Record({ start: IDL.Nat64, length: IDL.Nat64 });
const natRange = IDL.Record({ start: IDL.Nat, length: IDL.Nat });
const blocksOnly = IDL.Record({ blocks: IDL.Vec(IDL.Reserved) });
const NO_ARGUMENT = new Uint8Array(IDL.encode([], []));

/** An answer with blocks. */
interface BlocksAnswer {
  readonly question: string;
  readonly blocks: number;
  readonly bytes: number;
  /** Milliseconds of computing. */
  readonly ms: number;
}

interface LongLedger {
  readonly name: string;
  readonly blocks: number;
  /** Milliseconds of computing for a transfer at first, when half of them are done, and at last; the median of a few stretches. */
  readonly transferMs: readonly [first: number, middle: number, last: number];
  /** MiB of the canister with nothing but its opening, and at last. */
  readonly memoryMib: readonly [first: number, last: number];
  readonly answers: readonly BlocksAnswer[];
  /** Archives that the ledger names: by the older interface, where it has that, and by ICRC-3. */
  readonly archives: readonly number[];
}

type Token = 'icp-ledger' | 'cycles-ledger';
const LEDGERS: Readonly<Record<Token, SystemCanister>> = {
  'icp-ledger': icpLedger,
  'cycles-ledger': cyclesLedger,
};

/** Makes a ledger with that many transfers. Rejects where a transfer or an answer is refused. */
export async function longLedger(name: Token, blocks: number): Promise<LongLedger> {
  await using network = await TestNetwork.open({
    services: [name],
    instructionLimits: { query: QUERY_INSTRUCTIONS },
  });
  const id = Principal.fromText(LEDGERS[name].id);
  const memory = (): Promise<number> => memoryOf(network, id);
  const firstMemory = await memory();
  const stretches: number[] = [];
  for (let done = 0; done < blocks; done += STRETCH) {
    const begun = cpuMs();
    for (let at = done; at < done + STRETCH; at += 1) await transfer(network, id, at);
    stretches.push((cpuMs() - begun) / STRETCH);
  }
  const few = Math.max(1, Math.floor(stretches.length / 10));
  const middle = Math.floor((stretches.length - few) / 2);
  return {
    name,
    blocks,
    transferMs: [
      medianOf(stretches.slice(0, few)),
      medianOf(stretches.slice(middle, middle + few)),
      medianOf(stretches.slice(-few)),
    ],
    memoryMib: [firstMemory, await memory()],
    answers: await askAll(network, id, name, BigInt(blocks)),
    archives: await archivesOf(network, id, name),
  };
}

async function transfer(network: TestNetwork, id: Principal, number: number): Promise<void> {
  const subaccount = new Uint8Array(32);
  new DataView(subaccount.buffer).setUint32(28, 1 + (number % ACCOUNTS));
  const memo = new Uint8Array(32);
  new DataView(memo.buffer).setUint32(0, number);
  const args = {
    to: { owner: id, subaccount: [subaccount] },
    amount: 1n + BigInt(number),
    memo: [memo],
    // Half of them are remembered, so that they do not happen twice.
    created_at_time: number % 2 === 0 ? [network.time()] : [],
  };
  const arg = new Uint8Array(IDL.encode([transferArgs], [args]));
  const [answer] = decode<[object]>([transferred], await network.update(id, 'icrc1_transfer', arg));
  if (!('Ok' in answer)) throw new Error(`Transfer ${number} was refused.`);
}

async function memoryOf(network: TestNetwork, canister_id: Principal): Promise<number> {
  const glance = await network.canister(canister_id);
  const [sender] = glance?.controllers ?? [];
  if (!sender) throw new Error('The ledger has no controller.');
  const status = await network.management(
    'canister_status',
    { canister_id },
    { sender: Principal.fromUint8Array(sender) },
  );
  return Number(status.memory_size) / MIB;
}

/** Asks for more blocks than an answer may have: the first, the last, and some from everywhere. */
async function askAll(
  network: TestNetwork,
  id: Principal,
  name: Token,
  size: bigint,
): Promise<BlocksAnswer[]> {
  const last = size > 2_000n ? size - 2_000n : 0n;
  const scattered = Array.from({ length: 100 }, (_, at) => ({
    start: (size * BigInt(at)) / 100n,
    length: 100n,
  }));
  const asked: [question: string, method: string, type: IDL.Type, value: unknown][] = [
    ['icrc3: the first', 'icrc3_get_blocks', IDL.Vec(natRange), [{ start: 0n, length: 2_000n }]],
    ['icrc3: the last', 'icrc3_get_blocks', IDL.Vec(natRange), [{ start: last, length: 2_000n }]],
    ['icrc3: 100 ranges', 'icrc3_get_blocks', IDL.Vec(natRange), scattered],
  ];
  if (name === 'icp-ledger') {
    for (const method of ['query_blocks', 'query_encoded_blocks'])
      for (const [where, start] of [
        ['first', 0n],
        ['last', last],
      ] as const)
        asked.push([`${method}: the ${where}`, method, nat64Range, { start, length: 2_000n }]);
  }
  const answers: BlocksAnswer[] = [];
  for (const [question, method, type, value] of asked) {
    const arg = new Uint8Array(IDL.encode([type], [value]));
    const begun = cpuMs();
    const reply = await network.query(id, method, arg);
    const ms = cpuMs() - begun;
    const [{ blocks }] = decode<[{ blocks: unknown[] }]>([blocksOnly], reply);
    answers.push({ question, blocks: blocks.length, bytes: reply.length, ms });
  }
  return answers;
}

/** What this process has computed, the network in it included; it does not depend on what else the machine does. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** How many archives it names, as the interfaces of the real ledgers say it. */
async function archivesOf(network: TestNetwork, id: Principal, name: Token): Promise<number[]> {
  const place = { canister_id: IDL.Principal };
  const from = new Uint8Array(IDL.encode([IDL.Record({ from: IDL.Opt(IDL.Principal) })], [{ from: [] }]));
  const later = IDL.Vec(IDL.Record({ ...place, start: IDL.Nat, end: IDL.Nat }));
  const [list] = decode<[unknown[]]>([later], await network.query(id, 'icrc3_get_archives', from));
  if (name === 'cycles-ledger') return [list.length];
  const older = IDL.Record({ archives: IDL.Vec(IDL.Record(place)) });
  const reply = await network.query(id, 'archives', NO_ARGUMENT);
  const [{ archives }] = decode<[{ archives: unknown[] }]>([older], reply);
  return [archives.length, list.length];
}

/** The library reads a buffer from its beginning, whatever part of it the bytes are. */
function decode<T>(types: IDL.Type[], bytes: Uint8Array): T {
  return IDL.decode(types, new Uint8Array(bytes)) as T;
}

function medianOf(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { blocks: { type: 'string', default: '20000' } } });
  for (const name of ['icp-ledger', 'cycles-ledger'] as const)
    process.stdout.write(`${inspect(await longLedger(name, Number(values.blocks)), { depth: 4 })}\n`);
}
