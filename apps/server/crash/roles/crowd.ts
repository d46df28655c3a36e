import { seededRandom } from '../../../../packages/network/crash/seeded-random.ts';
import { ApiClient } from '../../test/support/client.ts';
import { type Customer, PayingClient } from '../paying-client.ts';
import { Citizen } from './citizen.ts';
import type { Scene } from './scene.ts';
import { Visitor } from './visitor.ts';

/** How many users of each sort are at work. */
export interface CrowdSize {
  /** Make changes of all kinds. */
  readonly citizens: number;
  /** Create canisters and top them up. */
  readonly payers: number;
  /** Read lists, pages and news. */
  readonly visitors: number;
  readonly seed: number;
}

/** What the users of a crowd have done so far. */
interface CrowdFigures {
  /** Changes that were acknowledged. */
  readonly done: number;
  readonly paid: number;
  /** Answers that visitors read. */
  readonly read: number;
  /** Calls that got no answer, by what they were for and what the caller saw. */
  readonly silent: Readonly<Record<string, number>>;
  /** Refusals by their call and code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Longest time of one change, in milliseconds. */
  readonly longestMs: number;
}

/** Users of a fleet, each of whom does one thing after the other. */
export class Crowd {
  readonly citizens: readonly Citizen[];
  readonly customers: readonly Customer[];
  readonly #payers: readonly PayingClient[];
  readonly #visitors: readonly Visitor[];
  #isOver = false;
  #working: Promise<unknown> = Promise.resolve();

  private constructor(
    citizens: readonly Citizen[],
    paying: readonly { customer: Customer; payer: PayingClient }[],
    visitors: readonly Visitor[],
  ) {
    this.citizens = citizens;
    this.customers = paying.map(({ customer }) => customer);
    this.#payers = paying.map(({ payer }) => payer);
    this.#visitors = visitors;
  }

  static async enter({ fleet, away }: Pick<Scene, 'fleet' | 'away'>, size: CrowdSize): Promise<Crowd> {
    const each = <T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> =>
      Array.fromAsync({ length: count }, (_, number) => make(number));
    const citizens = await each(size.citizens, (number) =>
      Citizen.enter(fleet.url, {
        user: `citizen-${number}`,
        folder: away,
        random: seededRandom(size.seed * 1000 + number),
      }),
    );
    const paying = await each(size.payers, async (number) => {
      const customer: Customer = { name: `customer-${number}`, canisters: [], intentions: [] };
      const { token } = await ApiClient.signIn(fleet.url, customer.name);
      const random = seededRandom(size.seed * 2000 + number);
      const gone = ['database_unavailable', 'storage_unavailable'];
      return { customer, payer: new PayingClient(fleet.url, token, customer, random, gone) };
    });
    const visitors = await each(size.visitors, async (number) => {
      const host = citizens[number % citizens.length];
      if (host === undefined) throw new Error('Visitors look at what citizens have. Let some enter.');
      return new Visitor(fleet, host, seededRandom(size.seed * 3000 + number));
    });
    return new Crowd(citizens, paying, visitors);
  }

  /** Whether a user has failed in a way that is not one of the service's answers. */
  get isOver(): boolean {
    return this.#isOver;
  }

  begin(): void {
    const loop = async (step: () => Promise<void>): Promise<void> => {
      while (!this.#isOver) await step();
    };
    this.#working = Promise.all([
      ...this.citizens.map(async (citizen) => {
        await citizen.eachOnce();
        await loop(() => citizen.step());
      }),
      ...this.#payers.map((payer) => loop(() => payer.step())),
      ...this.#visitors.map((visitor) => loop(() => visitor.step())),
    ]);
    this.#working.catch(() => {
      this.#isOver = true;
    });
  }

  /** Lets each end what it does. @throws what a user has failed with */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#working;
  }

  /** What was wrong with answers; what citizens found is in their journals. */
  get findings(): readonly string[] {
    return [...this.#payers, ...this.#visitors].flatMap(({ findings }) => findings);
  }

  get figures(): CrowdFigures {
    const journals = this.citizens.map(({ journal }) => journal);
    const outcomes = this.customers.flatMap(({ intentions }) => intentions.map(({ outcome }) => outcome));
    return {
      done: sum(journals.map(({ done }) => done)),
      paid: outcomes.filter((outcome) => outcome !== undefined && 'paid' in outcome).length,
      read: sum(this.#visitors.map(({ read }) => read)),
      silent: together([
        ...[...this.citizens, ...this.#visitors].map(({ journal }) => journal.silent),
        { payment: sum(this.#payers.map(({ unanswered }) => unanswered)) },
      ]),
      refused: together(journals.map(({ refused }) => refused)),
      longestMs: Math.max(0, ...journals.map(({ longestMs }) => longestMs)),
    };
  }
}

/** Counts of the same name added up. */
function together(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const each of counts)
    for (const [name, count] of Object.entries(each)) all[name] = (all[name] ?? 0) + count;
  return all;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
