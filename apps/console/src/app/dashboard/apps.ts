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

function deployedApp(deploy: Deploy, canisters: ReadonlyMap<string, Canister>): App {
  const own = deploy.canisters.flatMap((id) => canisters.get(id) ?? []);
  return {
    key: `deploy ${deploy.id}`,
    name: deploy.name,
    deploy,
    canister: own.toSorted((a, b) => cyclesOf(a) - cyclesOf(b))[0],
    at: deploy.deployInstance?.created_at ?? deploy.created_at,
  };
}

/** Everything of a user that runs or is to run, what changed last first. */
export function appsOf(deploys: readonly Deploy[], canisters: readonly Canister[]): App[] {
  const byId = new Map(canisters.map((canister) => [canister.id, canister]));
  const deployed = new Set(deploys.flatMap((deploy) => deploy.canisters));
  const alone = canisters
    .filter(({ id }) => !deployed.has(id))
    .map(
      (canister): App => ({
        key: `canister ${canister.id}`,
        name: canister.name,
        deploy: undefined,
        canister,
        at: canister.updated_at ?? canister.created_at,
      }),
    );
  // Each date is read once: of ten thousand apps a comparison would read it a quarter of a million times.
  return [...deploys.map((deploy) => deployedApp(deploy, byId)), ...alone]
    .map((app) => ({ app, moment: dateValue(app.at) ?? 0 }))
    .toSorted((a, b) => b.moment - a.moment)
    .map(({ app }) => app);
}
