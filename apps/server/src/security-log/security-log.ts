import { isIP } from 'node:net';
import { addressTenant, userTenant } from '../fairness/callers.ts';
import { RecentMap } from '../fairness/recent-map.ts';
import type { Logger } from '../log/logger.ts';
import { currentClient } from '../log/request-context.ts';
import { securityEventCounts } from '../metrics/instruments.ts';
import { EventBudget, type EventLimits, type Summary } from './event-budget.ts';
import { type EventDetails, type SecurityEvent, securityEvents } from './security-events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A line has some 300 bytes: a stranger with any number of addresses makes 30 MB of one kind of event a day at most. */
const LIMITS: EventLimits = {
  windowMs: MINUTE_MS,
  perClient: 10,
  ofKind: (event) => (securityEvents[event].isRefusal ? 60 : 600),
  mostClients: 2_000,
  mostSummaries: 10,
};

/** Uses of tokens that are remembered, each by its token and address. */
const MOST_USES = 10_000;

/** The longest address that is written out: of IPv6 with a zone. */
const LONGEST_ADDRESS = 64;
/** Ids, patterns of routes and words of ours have no other characters. */
const PLAIN = /^[\w./:{}*@-]{1,200}$/;

/** Whom an event counts for. */
interface Who {
  readonly user: string | undefined;
  readonly address: string | undefined;
}

/**
 * Who has signed in, what was refused to whom, and what the operator has done: lines of the log that are written at every `LOG_LEVEL`.
 * Only events of the table {@link securityEvents} can be noted. However many there are, lines and memory are bounded ({@link EventBudget}).
 */
export class SecurityLog {
  readonly #log: Logger | undefined;
  readonly #budget: EventBudget;
  readonly #uses = new RecentMap<number>(MOST_USES);
  readonly #now: () => number;

  /**
   * @param options.isOn whether lines are written; events are counted for metrics in any case
   * @param options.now milliseconds from any start
   */
  constructor(options: { log: Logger; isOn: boolean; now?: () => number }) {
    const { log, isOn, now = () => performance.now() } = options;
    this.#now = now;
    // The level of the log is for what is told of the server's work; this is told at every level.
    this.#log = isOn ? log.child({}, { level: 'info' }) : undefined;
    this.#budget = new EventBudget(LIMITS, (summary) => this.#summarise(summary), now);
  }

  /** Notes an event; user and address are those of the request at hand, unless the details name others. */
  note(event: SecurityEvent, details: EventDetails = {}): void {
    securityEventCounts.add({ event });
    if (this.#log === undefined) return;
    const client = currentClient();
    const { user: about, address: from, ...others } = details;
    const who = { user: about ?? client?.user, address: plainAddress(from ?? client?.address) };
    if (!this.#budget.take(event, keyOf(who))) return;
    const fields = Object.fromEntries(
      Object.entries({ ...others, user: who.user }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, PLAIN.test(value) ? value : 'unreadable']],
      ),
    );
    this.#log.info({ security: event, ...fields, address: who.address }, securityEvents[event].says);
  }

  /** Notes that a token is used, once in an hour for each address (of IPv6 each network). */
  noteUse(
    event: 'api_token_used' | 'git_token_used',
    { token, user }: { token: string; user: string },
  ): void {
    const key = `${token} ${addressTenant(plainAddress(currentClient()?.address) ?? '')}`;
    const now = this.#now();
    const before = this.#uses.get(key);
    if (before !== undefined && now - before < HOUR_MS) return;
    this.#uses.set(key, now);
    this.note(event, { token_id: token, user });
  }

  /** Says what has had no line yet. */
  [Symbol.dispose](): void {
    this.#budget.end();
  }

  #summarise({ event, client, more }: Summary): void {
    const of = client ?? 'several clients';
    this.#log?.info(
      { security: event, more, client: of },
      `${securityEvents[event].says}: ${more} more within a minute`,
    );
  }
}

/** What an event counts for: the user where one is known, else the address or its network. */
function keyOf({ user, address }: Who): string {
  if (user !== undefined) return userTenant(PLAIN.test(user) ? user : 'unreadable');
  return address === undefined ? 'nobody' : addressTenant(address);
}

/** An address as it is written out. What a proxy has handed on may be anything. */
function plainAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return isIP(address) === 0 || address.length > LONGEST_ADDRESS ? 'unreadable' : address;
}
