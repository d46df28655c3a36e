import type { HttpAgent } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { wat } from '../../wasm/test/text-format.ts';
import { connect, management } from '../test/agent.ts';
import { FILLED_WAT, fillArgument } from '../test/canisters/filled-canister.ts';
import { BANK_WAT, CLOCK_WAT, LEDGER_WAT, STAMPS_WAT, versionWat } from './canisters.ts';
import {
  type Client,
  LeanClient,
  ledgerArgument,
  peerArgument,
  queryNumbers,
  stampArgument,
  UpgradingClient,
  VerifyingClient,
} from './clients.ts';
import { LeanCall } from './lean-call.ts';

const MIB = 1024 * 1024;
const FILLER_BYTES = 128 * MIB;
/** Clients of the ledger: the first ones send envelopes again, the last one is a stock agent. */
const LEAN_ADDERS = 4;

/** The canisters of a run and the clients that use them. */
export interface Scene {
  readonly ledger: Principal;
  readonly stamps: Principal;
  readonly banks: readonly [Principal, Principal];
  readonly clock: Principal;
  readonly versioned: Principal;
  /** Canisters with large heaps that nobody changes, with the sum each must show for ever. */
  readonly fillers: readonly { readonly canister: Principal; readonly sum: bigint }[];
  /** In the order of their numbers in the ledger. */
  readonly adders: readonly Client[];
  readonly stamper: Client;
  readonly banker: Client;
  readonly upgrader: Client;
}

async function install(
  agent: HttpAgent,
  module: string,
  arg: Uint8Array = new Uint8Array(0),
): Promise<Principal> {
  const canisters = management(agent);
  const { canister_id } = await canisters.provisional_create_canister_with_cycles({
    amount: [],
    settings: [],
  });
  await canisters.install_code({ mode: { install: null }, canister_id, wasm_module: wat(module), arg });
  return canister_id;
}

async function filler(agent: HttpAgent, url: string, seed: number): Promise<Scene['fillers'][number]> {
  const canister = await install(agent, FILLED_WAT);
  await new LeanCall(canister, 'fill', fillArgument(seed, FILLER_BYTES)).send(url);
  const [sum = 0n] = await queryNumbers(agent, canister, 'sum');
  return { canister, sum };
}

/** Installs everything, with about `stateMiB` of content that stays as it is. */
export async function createScene(url: string, stateMiB: number): Promise<Scene> {
  const agent = await connect(url);
  const fillers: Scene['fillers'][number][] = [];
  for (let seed = 1; seed <= Math.ceil((stateMiB * MIB) / FILLER_BYTES); seed += 1)
    fillers.push(await filler(agent, url, seed));
  const ledger = await install(agent, LEDGER_WAT);
  const stamps = await install(agent, STAMPS_WAT);
  const banks = [await install(agent, BANK_WAT), await install(agent, BANK_WAT)] as const;
  const versioned = await install(agent, versionWat(1), stampArgument(1));
  return {
    ledger,
    stamps,
    banks,
    clock: await install(agent, CLOCK_WAT),
    versioned,
    fillers,
    adders: [
      ...Array.from(
        { length: LEAN_ADDERS },
        (_, client) =>
          new LeanClient(`ledger ${client}`, ledger, 'add', (number) => ledgerArgument(client, number)),
      ),
      new VerifyingClient(ledger, LEAN_ADDERS),
    ],
    stamper: new LeanClient('stamps of 8 MiB', stamps, 'stamp', stampArgument),
    banker: new LeanClient('transfers', banks[0], 'transfer', () => peerArgument(banks[1])),
    upgrader: new UpgradingClient(versioned),
  };
}

export const clientsOf = ({ adders, stamper, banker, upgrader }: Scene): readonly Client[] => [
  ...adders,
  stamper,
  banker,
  upgrader,
];
