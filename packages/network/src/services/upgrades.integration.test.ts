import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { icpLedger, type SystemCanister } from '@cannery/system';
import { identityCanister } from '@cannery/system/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CMC, CYCLES_LEDGER, ICP_LEDGER } from '../../test/icp/other-client.ts';
import { killStart } from '../../test/services/killed-start.ts';
import { laterModule, laterServices, startServices } from '../../test/services/other-services.ts';
import { createLocalNetwork } from '../local-network.ts';
import { readServices } from './chosen-services.ts';

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const ledgerInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    icrc1_transfer: IDL.Func(
      [IDL.Record({ to: account, amount: IDL.Nat })],
      [IDL.Variant({ Ok: IDL.Nat, Err: IDL.Reserved })],
      [],
    ),
    icrc1_balance_of: IDL.Func([account], [IDL.Nat], ['query']),
    icrc3_get_blocks: IDL.Func(
      [IDL.Vec(IDL.Record({ start: IDL.Nat, length: IDL.Nat }))],
      [IDL.Record({ log_length: IDL.Nat })],
      ['query'],
    ),
    get_default_subnets: IDL.Func([], [IDL.Vec(IDL.Principal)], ['query']),
  });
const bytes = IDL.Vec(IDL.Nat8);
const signInInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    prepare_delegation_by_name: IDL.Func(
      [
        IDL.Text,
        IDL.Record({
          origin: IDL.Text,
          session_key: bytes,
          targets: IDL.Opt(IDL.Vec(IDL.Principal)),
          max_time_to_live: IDL.Opt(IDL.Nat64),
        }),
      ],
      [IDL.Variant({ ok: IDL.Record({ public_key: bytes }), err: IDL.Text })],
      [],
    ),
  });

interface Ledger {
  icrc1_transfer(to: object): Promise<{ Ok: bigint }>;
  icrc1_balance_of(account: object): Promise<bigint>;
  icrc3_get_blocks(ranges: object[]): Promise<{ log_length: bigint }>;
  get_default_subnets(): Promise<Principal[]>;
}
interface SignIn {
  prepare_delegation_by_name(name: string, asked: object): Promise<{ ok: { public_key: Uint8Array } }>;
}

const SIGN_IN = Principal.fromText(identityCanister.id);
const ada = Ed25519KeyIdentity.generate();
const key = new Uint8Array(ada.getPublicKey().toDer());
const folder = mkdtempSync(join(tmpdir(), 'cannery-upgrades-'));
/** A network with something on every ledger, and a sign-in with a principal for `ada`; it is stopped. */
const stopped = join(folder, 'stopped');
let before: Kept;

/** What an upgrade has to keep. */
interface Kept {
  readonly icp: bigint;
  readonly cycles: bigint;
  readonly blocks: readonly bigint[];
  readonly subnets: readonly string[];
  readonly signIn: string;
}

/** What calls canisters. What signatures of a network are worth, other tests say. */
class Caller {
  readonly #agent: HttpAgent;

  private constructor(agent: HttpAgent) {
    this.#agent = agent;
  }

  static async at(url: string): Promise<Caller> {
    const options = { host: url, shouldFetchRootKey: true, verifyQuerySignatures: false, retryTimes: 0 };
    return new Caller(await HttpAgent.create(options));
  }

  ledger(canisterId: Principal): Ledger {
    return this.#actor<Ledger>(ledgerInterface, canisterId);
  }

  signIn(): SignIn {
    return this.#actor<SignIn>(signInInterface, SIGN_IN);
  }

  #actor<T>(idl: IDL.InterfaceFactory, canisterId: Principal): T {
    return Actor.createActor<T>(idl, { agent: this.#agent, canisterId, blsVerify: async () => true });
  }
}

async function keptAt(url: string): Promise<Kept> {
  const caller = await Caller.at(url);
  const owner = { owner: ada.getPrincipal(), subaccount: [] };
  const [icp, cycles] = [caller.ledger(ICP_LEDGER), caller.ledger(CYCLES_LEDGER)];
  const asked = { origin: 'https://app.example.com', session_key: key, targets: [], max_time_to_live: [] };
  const { ok } = await caller.signIn().prepare_delegation_by_name('ada', asked);
  return {
    icp: await icp.icrc1_balance_of(owner),
    cycles: await cycles.icrc1_balance_of(owner),
    blocks: [(await icp.icrc3_get_blocks([])).log_length, (await cycles.icrc3_get_blocks([])).log_length],
    subnets: (await caller.ledger(CMC).get_default_subnets()).map((each) => each.toText()),
    signIn: Buffer.from(ok.public_key).toString('hex'),
  };
}

const newest = ({ versions }: SystemCanister): string | undefined => versions.at(-1);

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** A copy of the stopped network to start. */
function copy(name: string): string {
  const dataDir = join(folder, name);
  cpSync(stopped, dataDir, { recursive: true });
  return dataDir;
}

/** Runs `action`, and answers what it warned of. */
async function warnings(action: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const hear = ({ message }: Error): void => {
    if (message.startsWith('The service')) seen.push(message);
  };
  process.on('warning', hear);
  try {
    await action();
    // Warnings come with the next tick.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', hear);
  }
  return seen;
}

beforeAll(async () => {
  const network = await createLocalNetwork({
    dataDir: stopped,
    port: 0,
    services: readServices('default'),
    fees: 'free',
  });
  const to = { owner: ada.getPrincipal(), subaccount: [] };
  const caller = await Caller.at(network.url);
  await caller.ledger(ICP_LEDGER).icrc1_transfer({ to, amount: 12_345n });
  await caller.ledger(CYCLES_LEDGER).icrc1_transfer({ to, amount: 67_890n });
  before = await keptAt(network.url);
  expect(before).toMatchObject({ icp: 12_345n, cycles: 67_890n, blocks: [2n, 2n] });
  expect(before.subnets).toHaveLength(1);
  await network.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['icp-ledger', ICP_LEDGER],
  ['cycles-ledger', CYCLES_LEDGER],
  ['cmc', CMC],
  ['internet-identity', SIGN_IN],
])('a later version upgrades %s, which keeps what it has, and an earlier one leaves it', async (name, id) => {
  const dataDir = copy(`later-${name}`);
  const module = await laterModule(name, 'later', folder);
  const canisters = await laterServices(name, module);
  const seen = await warnings(async () => {
    for (let starts = 0; starts < 2; starts += 1) {
      await using network = await startServices({ dataDir, services: 'default', canisters });
      expect(await network.look(id)).toEqual({ status: 'running', module: await hashOf(module) });
      expect(await keptAt(network.url)).toEqual(before);
    }
  });
  expect(seen).toEqual([]);
  const atReturn = await warnings(async () => {
    await using network = await startServices({ dataDir, services: 'default' });
    expect(await network.look(id)).toEqual({ status: 'running', module: await hashOf(module) });
    expect(await keptAt(network.url)).toEqual(before);
  });
  expect(atReturn).toEqual([expect.stringContaining(`${name} (${id.toText()}) stays as it is`)]);
});

test('an upgrade that traps leaves the code that was there, says so, and the network starts', async () => {
  const dataDir = copy('trapping');
  const module = await laterModule('icp-ledger', 'trapping', folder);
  // The argument is none that it can read.
  const canisters = await laterServices('icp-ledger', module, IDL.encode([IDL.Text], ['no such argument']));
  const seen = await warnings(async () => {
    await using network = await startServices({ dataDir, services: 'default', canisters });
    expect(await network.look(ICP_LEDGER)).toEqual({ status: 'running', module: newest(icpLedger) });
    expect(await keptAt(network.url)).toEqual(before);
  });
  expect(seen).toEqual([
    expect.stringMatching(/icp-ledger .*goes on with the code that it had: install_code: /),
  ]);
});

test.each([
  { method: 'stop_canister', moment: 'after' },
  { method: 'install_code', moment: 'before' },
  { method: 'install_code', moment: 'after' },
  { method: 'start_canister', moment: 'before' },
  { method: 'start_canister', moment: 'after' },
] as const)('kill -9 $moment $method of an upgrade: the next start ends it', async (death) => {
  const dataDir = copy(`killed-${death.method}-${death.moment}`);
  const service = 'icp-ledger';
  const module = await laterModule(service, 'later', folder);
  await killStart({ dataDir, service, module, death });
  const canisters = await laterServices(service, module);
  const seen = await warnings(async () => {
    await using network = await startServices({ dataDir, services: 'default', canisters });
    expect(await network.look(ICP_LEDGER)).toEqual({ status: 'running', module: await hashOf(module) });
    expect(await keptAt(network.url)).toEqual(before);
  });
  expect(seen).toEqual([]);
});

test.each([
  { method: 'provisional_create_canister_with_cycles', moment: 'after' },
  { method: 'install_code', moment: 'before' },
  { method: 'install_code', moment: 'after' },
] as const)('kill -9 $moment $method of a first start: the next start ends it', async (death) => {
  const dataDir = join(folder, `first-${death.method}-${death.moment}`);
  mkdirSync(dataDir);
  const service = 'internet-identity';
  await killStart({ dataDir, service, death });
  const seen = await warnings(async () => {
    await using network = await startServices({ dataDir, services: service });
    expect(await network.look(SIGN_IN)).toEqual({ status: 'running', module: newest(identityCanister) });
  });
  expect(seen).toEqual([]);
});

test('services that are not named any more stay as they are', async () => {
  const dataDir = copy('narrowed');
  await using network = await startServices({ dataDir, services: 'none' });
  expect(await keptAt(network.url)).toEqual(before);
});
