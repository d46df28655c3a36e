import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../test/roles/fleet.ts';
import { readLive } from '../../test/support/live-reader.ts';
import type { Citizen } from './citizen.ts';
import { Journal } from './journal.ts';

/** As fast as a page asks that somebody looks around in. */
const PAUSE_MS = 100;
/** How long a page stays open for news, at most, in milliseconds. */
const LONGEST_OPEN_MS = 5_000;
const NEWS_SHARE = 0.05;
const SITE_SHARE = 0.2;

/** Lists and pages of the console. */
const PATHS: readonly ((of: Citizen) => string)[] = [
  () => '/config',
  () => '/user/profile',
  () => '/account/first-steps',
  () => '/canister/list/',
  () => '/deploy',
  () => '/deploy/repos',
  () => '/registry/',
  () => '/marketplace/?limit=20',
  () => '/transactions/?limit=20',
  () => '/session',
  ({ canister }) => `/canister/status/${canister}?real_time=true`,
  ({ canister }) => `/canister/details/${canister}`,
  ({ canister }) => `/canister/history/${canister}`,
  ({ canister }) => `/canister/balances/${canister}`,
  ({ canister }) => `/canister/logs/${canister}`,
  ({ site }) => `/deploy/${site}`,
  ({ site }) => `/deploy/${site}/instances`,
  ({ user }) => `/repository/content/${user}/work`,
];

/** Somebody who looks around in the console of a citizen, opens and leaves pages that hear news, and visits the site. */
export class Visitor {
  readonly findings: string[] = [];
  /** Answers that were read. */
  read = 0;
  readonly journal = new Journal();
  readonly #fleet: Fleet;
  readonly #host: Citizen;
  readonly #random: () => number;

  constructor(fleet: Fleet, host: Citizen, random: () => number) {
    this.#fleet = fleet;
    this.#host = host;
    this.#random = random;
  }

  async step(): Promise<void> {
    const kind = this.#random();
    try {
      if (kind < NEWS_SHARE) await this.#hearNews();
      else if (kind < NEWS_SHARE + SITE_SHARE) await this.#visitSite();
      else await this.#look();
    } catch (error) {
      this.journal.lose('read', error);
    }
    await sleep(PAUSE_MS);
  }

  async #look(): Promise<void> {
    const path = PATHS[Math.floor(this.#random() * PATHS.length)]?.(this.#host) ?? '/config';
    this.#judge(path, await this.#host.api.get(path));
  }

  async #hearNews(): Promise<void> {
    const live = await readLive(this.#fleet.url, this.#host.api.token);
    await Promise.race([sleep(this.#random() * LONGEST_OPEN_MS), live.over]);
    live.close();
    await live.over;
    this.read += 1;
  }

  async #visitSite(): Promise<void> {
    const { body } = await this.#host.api.get(`/deploy/${this.#host.site}`);
    const [canister] = (body['canisters'] ?? []) as string[];
    if (canister === undefined) return;
    const page = await fetch(`${this.#fleet.networkUrl}/?canisterId=${canister}`);
    await page.arrayBuffer();
    this.#judge('the site', { status: page.status, body: {} });
  }

  #judge(what: string, { status, body }: { status: number; body: Readonly<Record<string, unknown>> }): void {
    this.read += 1;
    if (status >= 500) this.findings.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  }
}
