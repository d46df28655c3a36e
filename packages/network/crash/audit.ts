import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { connect } from '../test/agent.ts';
import { BANK_FUNDS } from './canisters.ts';
import { type Client, LEDGER_NUMBERS, queryNumbers } from './clients.ts';
import { CallRefusedError } from './lean-call.ts';
import type { Scene } from './scene.ts';

export type Fault = 'lost' | 'doubled' | 'torn';

/** What is wrong, in words. */
export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}

/** How long calls between canisters may take to end when nobody sends new ones. */
const QUIET_MS = 20_000;
const POLL_MS = 20;

/** Compares what the canisters hold with what the clients know; nobody may send updates meanwhile. */
export class Audit {
  readonly #findings: Finding[] = [];
  readonly #agent: HttpAgent;
  readonly #scene: Scene;
  #ticks = 0n;

  private constructor(agent: HttpAgent, scene: Scene) {
    this.#agent = agent;
    this.#scene = scene;
  }

  /** `fillers`: which of the canisters nobody changes to read as well. */
  static async run(url: string, scene: Scene, fillers: Scene['fillers']): Promise<Audit> {
    const audit = new Audit(await connect(url), scene);
    await audit.#part('ledger', () => audit.#ledger());
    await audit.#part('stamps', () => audit.#stamps());
    await audit.#part('upgrades', () => audit.#version());
    await audit.#part('timer', () => audit.#clock());
    await audit.#part('banks', () => audit.#banks());
    for (const filler of fillers) await audit.#part('filler', () => audit.#filler(filler));
    return audit;
  }

  /** A canister that answers no more has lost something, whatever it is. */
  async #part(name: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof CallRefusedError)) throw error;
      this.#expect('lost', false, `${name}: ${error.message}`);
    }
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Ticks of the timer so far. */
  get ticks(): bigint {
    return this.#ticks;
  }

  async #ledger(): Promise<void> {
    const numbers = await queryNumbers(this.#agent, this.#scene.ledger, 'audit');
    let total = 0n;
    for (const [client, adder] of this.#scene.adders.entries()) {
      const own = numbers.slice(client * LEDGER_NUMBERS, (client + 1) * LEDGER_NUMBERS);
      const [last = 0n, count = 0n, sum = 0n] = own;
      this.#reached(adder, last);
      this.#expect('doubled', count <= last, `${adder.name}: ${count} updates for the number ${last}`);
      this.#expect('lost', count >= last, `${adder.name}: ${count} updates for the number ${last}`);
      this.#expect('torn', sum === (last * (last + 1n)) / 2n, `${adder.name}: the sum is ${sum} at ${last}`);
      const areas = [own.slice(0, 3), own.slice(3, 6), own.slice(6, 9)].map((area) => area.join());
      this.#expect(
        'torn',
        new Set(areas).size === 1,
        `${adder.name}: its areas differ: ${areas.join(' / ')}`,
      );
      total += count;
    }
    const [inMemory, inGlobal] = numbers.slice(-2);
    this.#expect(
      'torn',
      inMemory === total && inGlobal === total,
      `ledger totals ${inMemory}, ${inGlobal}, ${total}`,
    );
  }

  async #stamps(): Promise<void> {
    const found = await queryNumbers(this.#agent, this.#scene.stamps, 'audit');
    const [low = 0n, , , count] = found;
    this.#reached(this.#scene.stamper, low);
    const isWhole = new Set(found.slice(0, 3)).size === 1;
    this.#expect('torn', isWhole, `stamps ${found.join()}`);
    this.#expect('doubled', count === low, `stamp ${low} after ${count} stamps`);
  }

  async #version(): Promise<void> {
    const [code = 0n, heap, stable, begun, ended] = await queryNumbers(
      this.#agent,
      this.#scene.versioned,
      'audit',
    );
    this.#reached(this.#scene.upgrader, code);
    const isWhole = heap === code && stable === code && begun === ended;
    this.#expect('torn', isWhole, `upgrade ${[code, heap, stable, begun, ended].join()}`);
    this.#expect('doubled', ended === code - 1n, `upgrade ${code} after ${ended} upgrades`);
  }

  async #clock(): Promise<void> {
    const found = await queryNumbers(this.#agent, this.#scene.clock, 'audit');
    this.#ticks = found[0] ?? 0n;
    this.#expect('torn', new Set(found).size === 1, `timer ${found.join()}`);
  }

  async #banks(): Promise<void> {
    const [first, second] = this.#scene.banks;
    const end = performance.now() + QUIET_MS;
    for (;;) {
      const [balance = 0n, underWay = 0n] = await queryNumbers(this.#agent, first, 'audit');
      const [other = 0n] = await queryNumbers(this.#agent, second, 'audit');
      if (underWay === 0n) {
        this.#reached(this.#scene.banker, BANK_FUNDS - balance);
        this.#expect('torn', balance + other === 2n * BANK_FUNDS, `banks hold ${balance} and ${other}`);
        return;
      }
      if (performance.now() > end) {
        this.#expect('lost', false, `${underWay} transfers never ended`);
        return;
      }
      await sleep(POLL_MS);
    }
  }

  async #filler({ canister, sum }: Scene['fillers'][number]): Promise<void> {
    const [found] = await queryNumbers(this.#agent, canister, 'sum');
    this.#expect('torn', found === sum, `the heap of ${canister} changed`);
  }

  /** A client's last acknowledged update is there, and at most the one under way besides. */
  #reached({ name, acknowledged, isUncertain }: Client, last: bigint): void {
    this.#expect(
      'lost',
      last >= BigInt(acknowledged),
      `${name}: ${acknowledged} was answered, ${last} is there`,
    );
    const most = acknowledged + (isUncertain ? 1 : 0);
    this.#expect('doubled', last <= BigInt(most), `${name}: ${most} was sent, ${last} is there`);
  }

  #expect(fault: Fault, isTrue: boolean, what: string): void {
    if (!isTrue) this.#findings.push({ fault, what });
  }
}
