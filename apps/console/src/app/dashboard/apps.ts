import type { Canister, Deploy } from '@cannery/contract';
import { dateValue } from '../../lib/table/sort.ts';

/** Something that runs: a deploy with its canisters, or a canister that no deploy fills. */
export interface App {
  readonly key: string;
  readonly name: string | null;
  readonly deploy: Deploy | undefined;
  /** The canister whose cycles are shown: of several the one that has the fewest. Undefined before there is one. */
  readonly canister: Canister | undefined;
  /** When it last changed; ISO 8601. */
  readonly at: string | null;
}

const cyclesOf = ({ cycles }: Canister): number => cycles ?? Number.POSITIVE_INFINITY;

function deployedApp(deploy: Deploy, canisters: ReadonlyMap<string, Canister | undefined>): App {
  const own = deploy.canisters.flatMap((id) => canisters.get(id) ?? []);
  return {
    key: `deploy ${deploy.id}`,
    name: deploy.name,
    deploy,
    canister: own.toSorted((a, b) => cyclesOf(a) - cyclesOf(b))[0],
    at: deploy.deployInstance?.created_at ?? deploy.created_at,
  };
}

const changedAt = (canister: Canister): string | null => canister.updated_at ?? canister.created_at;

/** A date as the service writes it: two of them compare as texts. */
const isPlainDate = (text: string | null | undefined): text is string =>
  text?.length === PLAIN_DATE.length && text.endsWith('Z');
const PLAIN_DATE = '2026-11-29T22:03:00.000Z';

const aloneApp = (canister: Canister): App => ({
  key: `canister ${canister.id}`,
  name: canister.name,
  deploy: undefined,
  canister,
  at: changedAt(canister),
});

/**
 * What of a user's runs or is to run and changed last, newest first. Of ten thousand canisters only those that are shown are made
 * apps and put in order.
 *
 * @param most how many apps there are at most
 */
export function newestApps(deploys: readonly Deploy[], canisters: readonly Canister[], most: number): App[] {
  const newest: { readonly app: App; readonly moment: number }[] = [];
  const offer = (moment: number, make: () => App): void => {
    if (newest.length >= most && moment <= (newest.at(-1)?.moment ?? 0)) return;
    const after = newest.findIndex((one) => one.moment < moment);
    newest.splice(after === -1 ? newest.length : after, 0, { app: make(), moment });
    if (newest.length > most) newest.pop();
  };
  const deployed = new Map<string, Canister | undefined>(
    deploys.flatMap((deploy) => deploy.canisters.map((id) => [id, undefined] as const)),
  );
  for (const canister of canisters) if (deployed.has(canister.id)) deployed.set(canister.id, canister);
  for (const deploy of deploys) {
    const app = deployedApp(deploy, deployed);
    offer(dateValue(app.at) ?? 0, () => app);
  }
  for (const canister of canisters) {
    if (deployed.has(canister.id)) continue;
    // Reading ten thousand dates takes longer than a frame, and nearly all are too old.
    const [at, oldest] = [changedAt(canister), newest.length < most ? undefined : newest.at(-1)?.app.at];
    if (isPlainDate(at) && isPlainDate(oldest) && at <= oldest) continue;
    offer(dateValue(at) ?? 0, () => aloneApp(canister));
  }
  return newest.map(({ app }) => app);
}
