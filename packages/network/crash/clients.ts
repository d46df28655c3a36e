import type { HttpAgent } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { connect, management } from '../test/agent.ts';
import { wat } from '../../wasm/test/text-format.ts';
import { versionWat } from './canisters.ts';
import { CallRefusedError, LeanCall } from './lean-call.ts';

/** Sends one update after the other. What was under way when the network died is settled before anything new. */
export interface Client {
  readonly name: string;
  /** Number of the last update that was answered, and so must be there whatever happens. */
  readonly acknowledged: number;
  /** Whether one more may have been carried out. */
  readonly isUncertain: boolean;
  /** Carries out the next update, or settles the last one. Rejects when the network is gone. */
  step(url: string): Promise<void>;
}

const words = (...values: readonly bigint[]): Uint8Array =>
  new Uint8Array(BigUint64Array.from(values).buffer);

/** Sends the same envelope until it is answered. */
export class LeanClient implements Client {
  readonly name: string;
  readonly #canister: Principal;
  readonly #method: string;
  readonly #argument: (number: number) => Uint8Array;
  #acknowledged = 0;
  #underWay: LeanCall | undefined;

  constructor(name: string, canister: Principal, method: string, argument: (number: number) => Uint8Array) {
    this.name = name;
    this.#canister = canister;
    this.#method = method;
    this.#argument = argument;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get isUncertain(): boolean {
    return this.#underWay !== undefined;
  }

  async step(url: string): Promise<void> {
    this.#underWay ??= new LeanCall(this.#canister, this.#method, this.#argument(this.#acknowledged + 1));
    await this.#underWay.send(url);
    this.#acknowledged += 1;
    this.#underWay = undefined;
  }
}

/** Works with the stock agent, all verification on; after a failure asks the canister how far it got. */
abstract class AgentClient implements Client {
  abstract readonly name: string;
  #acknowledged: number;
  #isUncertain = false;
  #agent: { readonly url: string; readonly agent: HttpAgent } | undefined;

  constructor(acknowledged: number) {
    this.#acknowledged = acknowledged;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  async step(url: string): Promise<void> {
    if (this.#agent?.url !== url) this.#agent = { url, agent: await connect(url) };
    const { agent } = this.#agent;
    if (this.#isUncertain) {
      this.#acknowledged = await this.reached(agent, url);
      this.#isUncertain = false;
    }
    this.#isUncertain = true;
    await this.call(agent, this.#acknowledged + 1);
    this.#acknowledged += 1;
    this.#isUncertain = false;
  }

  protected abstract call(agent: HttpAgent, number: number): Promise<void>;
  /** The number of the last update that was carried out, once nothing is under way any more. */
  protected abstract reached(agent: HttpAgent, url: string): Promise<number>;
}

export async function queryNumbers(agent: HttpAgent, canister: Principal, method: string): Promise<bigint[]> {
  const result = await agent.query(canister, { methodName: method, arg: new Uint8Array(0) });
  if (result.status !== 'replied') throw new CallRefusedError(`${method}: ${result.reject_message}`);
  const { arg } = result.reply;
  return [...new BigUint64Array(arg.slice().buffer)];
}

/** The argument of `add` of a ledger. */
export function ledgerArgument(client: number, number: number): Uint8Array {
  const argument = Buffer.alloc(12);
  argument.writeUInt32LE(client, 0);
  argument.writeBigUInt64LE(BigInt(number), 4);
  return new Uint8Array(argument);
}

/** Numbers that the audit of a ledger replies for each client. */
export const LEDGER_NUMBERS = 9;

/** Adds to a ledger. */
export class VerifyingClient extends AgentClient {
  readonly name = 'ledger, stock agent';
  readonly #ledger: Principal;
  readonly #client: number;

  constructor(ledger: Principal, client: number) {
    super(0);
    this.#ledger = ledger;
    this.#client = client;
  }

  protected override async call(agent: HttpAgent, number: number): Promise<void> {
    const arg = ledgerArgument(this.#client, number);
    await agent.update(this.#ledger, { methodName: 'add', arg });
  }

  protected override async reached(agent: HttpAgent, url: string): Promise<number> {
    // An update comes after everything that was accepted before the crash.
    await new LeanCall(this.#ledger, 'settle', new Uint8Array(0)).send(url);
    const numbers = await queryNumbers(agent, this.#ledger, 'audit');
    return Number(numbers[this.#client * LEDGER_NUMBERS] ?? 0n);
  }
}

/** Upgrades a canister to code with the next number. */
export class UpgradingClient extends AgentClient {
  readonly name = 'upgrades, stock agent';
  readonly #canister: Principal;

  constructor(canister: Principal) {
    super(1);
    this.#canister = canister;
  }

  protected override async call(agent: HttpAgent, number: number): Promise<void> {
    await management(agent).install_code({
      mode: { upgrade: [] },
      canister_id: this.#canister,
      wasm_module: wat(versionWat(number)),
      arg: words(BigInt(number)),
    });
  }

  protected override async reached(agent: HttpAgent): Promise<number> {
    // Management calls are carried out in their order, so this one ends after the upgrade that was under way.
    await management(agent).start_canister({ canister_id: this.#canister });
    const [code = 0n] = await queryNumbers(agent, this.#canister, 'audit');
    return Number(code);
  }
}

export const stampArgument = (number: number): Uint8Array => words(BigInt(number));
export const peerArgument = (peer: Principal): Uint8Array => {
  const id = peer.toUint8Array();
  return Uint8Array.of(id.length, ...id);
};
