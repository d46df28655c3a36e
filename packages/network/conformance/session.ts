import { setTimeout as delay } from 'node:timers/promises';
import { Principal } from '@icp-sdk/core/principal';
import { Rejected, TestClient } from '@cannery/replica/test-client';
import { type CertifiedEngine, certify } from './certified-engine.ts';
import { type DrunCommand, lastPrincipal } from './drun-script.ts';

/**
 * What `test-runner` (`test-runner/src/main.rs` of dfinity/motoko) prints after it has made the canister of the script,
 * whatever its ID.
 */
const CREATED = 'ingress Completed: Reply: 0x4449444c016c01b3c4b1f204680100010a00000000000000000101';
const EMPTY_REPLY = '4449444c0000';
const ANONYMOUS = Principal.anonymous().toUint8Array();
/** Cycles `test-runner` gives the canister. */
const CYCLES = 1_000_000_000_000_000n;
/** More than an answer needs from its commit to the listener. */
const ANSWER_DELAY_MS = 50;
/** More than a canister needs to come to rest, if it ever does. */
const BUSY_MS = 5_000;
/** More than the log of any test. */
const LOG_BYTES = 2n * 1024n * 1024n;
/** Section of modules whose heap outlives upgrades. */
const ENHANCED_SECTION = 'icp:private enhanced-orthogonal-persistence';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Runs one script on its own network and collects what the suite's `test-runner` would print. */
export class DrunSession implements AsyncDisposable {
  readonly #client: TestClient;
  readonly #modules: ReadonlyMap<string, Uint8Array>;
  readonly #lines: string[] = [];
  #certified: CertifiedEngine | undefined;

  private constructor(client: TestClient, modules: ReadonlyMap<string, Uint8Array>) {
    this.#client = client;
    this.#modules = modules;
    client.engine.onPrint(({ canisterId, lines }) => {
      const name = Principal.fromUint8Array(canisterId).toText();
      for (const line of lines) this.#lines.push(`[Canister ${name}] ${Buffer.from(line).toString('utf8')}`);
    });
  }

  /** `modules`: by the name under which the script installs them. */
  static async start(
    modules: ReadonlyMap<string, Uint8Array>,
    applicationSubnet: boolean,
  ): Promise<DrunSession> {
    // On a system subnet nothing costs anything.
    const fees = applicationSubnet ? 'docs-2026-08' : 'free';
    return new DrunSession(await TestClient.start({ prints: true, fees }), modules);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#certified?.close();
    await this.#client[Symbol.asyncDispose]();
  }

  /** Carries out the commands and returns the output, every line ended by a line feed. */
  async run(commands: readonly DrunCommand[]): Promise<string> {
    const first = commands.find((command) => 'source' in command);
    if (first) await this.#create(Principal.fromText(first.canister));
    for (const command of commands) {
      const goesOn = await this.#step(command);
      if (!goesOn) break;
    }
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  async #create(canister: Principal): Promise<void> {
    await this.#client.management(
      'provisional_create_canister_with_cycles',
      {
        amount: CYCLES,
        specified_id: canister,
        settings: { controllers: [Principal.anonymous(), canister], log_memory_limit: LOG_BYTES },
      },
      ANONYMOUS,
    );
    this.#lines.push(CREATED);
  }

  /** False when `test-runner` would end here without a word. */
  async #step(command: DrunCommand): Promise<boolean> {
    const { arg } = command;
    if (!arg) return false;
    const isQuery = command.kind === 'query';
    try {
      const reply = hex(await this.#carryOut(command, arg));
      this.#lines.push(`${isQuery ? 'Ok' : 'ingress Completed'}: Reply: 0x${reply}`);
      return true;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      if (!error.admitted && !saysRefusals(command)) return false;
      this.#lines.push(`${isQuery ? 'Err' : 'ingress Err'}: ${error.code}: ${error.message}`);
      return true;
    }
  }

  async #carryOut(command: DrunCommand, arg: Uint8Array): Promise<Uint8Array> {
    const canister = Principal.fromText(command.canister).toUint8Array();
    if ('source' in command) return await this.#install(command.kind, command.source, canister, arg);
    const { method } = command;
    if (command.kind === 'query') return await this.#query(canister, method, arg);
    if (method === 'stop_canister' || method === 'start_canister') {
      await this.#client
        .management(method, { canister_id: lastPrincipal(arg) }, ANONYMOUS)
        .catch(ignoreRejection);
      return Buffer.from(EMPTY_REPLY, 'hex');
    }
    return await this.#update(canister, method, arg);
  }

  /**
   * As `test-runner` does: lets a second of network time pass again and again until the call has its answer. What the
   * call started is done by then too, for time, even none of it, only passes when nothing is left to do. The first
   * second passes before the call, so that heartbeats come before it, as in a round.
   */
  async #update(canister: Uint8Array, method: string, arg: Uint8Array): Promise<Uint8Array> {
    await this.#letPass(1n);
    const requestId = await this.#client.submit(canister, method, arg, ANONYMOUS);
    const outcome = this.#client.outcome(requestId);
    for (;;) {
      await this.#letPass(1n);
      const result = await Promise.race([outcome, delay(ANSWER_DELAY_MS)]);
      if (!result) continue;
      await this.#letPass(0n);
      if (result.status === 'replied') return result.reply;
      throw new Rejected(result.errorCode, result.rejectCode, result.message, true);
    }
  }

  /** Time passes when nothing is left to do; a canister that never rests is not waited for. */
  async #letPass(seconds: bigint): Promise<void> {
    await Promise.race([this.#client.advance(seconds), delay(BUSY_MS)]);
  }

  async #query(canisterId: Uint8Array, method: string, arg: Uint8Array): Promise<Uint8Array> {
    const { engine, configuration } = this.#client;
    const query = { sender: ANONYMOUS, canisterId, method, arg };
    let outcome = await engine.query(query);
    if (outcome.status === 'stale-certificate') {
      this.#certified ??= await certify(engine, configuration.dataDir);
      outcome = await this.#certified.queries.run(query);
    }
    if (outcome.status === 'replied') return outcome.reply;
    if (outcome.status === 'malformed') throw new Error(outcome.message);
    throw new Rejected(outcome.errorCode, outcome.rejectCode, outcome.message, true);
  }

  async #install(
    kind: 'install' | 'reinstall' | 'upgrade',
    source: string,
    canister: Uint8Array,
    arg: Uint8Array,
  ): Promise<Uint8Array> {
    const module = this.#modules.get(source);
    if (!module) throw new Error(`The script installs ${source}, which was not compiled.`);
    const keeps = Buffer.from(module).includes(ENHANCED_SECTION);
    const options = { skip_pre_upgrade: [false], wasm_memory_persistence: keeps ? [{ keep: null }] : [] };
    const mode = kind === 'upgrade' ? { upgrade: [options] } : { [kind]: null };
    await this.#client.install(canister, module, { mode, arg, sender: ANONYMOUS });
    return Buffer.from(EMPTY_REPLY, 'hex');
  }
}

/** Whether `test-runner` prints why a command was not admitted; for an ordinary call it does not. */
function saysRefusals(command: DrunCommand): boolean {
  return command.kind !== 'ingress' || command.method === '__motoko_stabilize_before_upgrade';
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
