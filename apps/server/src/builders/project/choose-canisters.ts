import { ProjectFileError } from '../source/project-file-error.ts';
import type { LeftCanister, PlannedCanister } from './plan.ts';

/**
 * Canisters in an order in which each comes after those of the project that it needs; else as they are listed.
 * @throws ProjectFileError that names a circle of canisters which need each other
 */
export function buildOrder<Canister extends PlannedCanister>(canisters: readonly Canister[]): Canister[] {
  const byName = new Map(canisters.map((canister) => [canister.name, canister]));
  const ordered = new Set<Canister>();
  const visit = (canister: Canister, path: readonly string[]): void => {
    if (ordered.has(canister)) return;
    const { name } = canister;
    const begin = path.indexOf(name);
    if (begin >= 0) {
      const circle = [...path.slice(begin), name].join(' -> ');
      throw new ProjectFileError(
        `Canisters of the project need each other in a circle: ${circle}. ` +
          'Let one of them take the principal of the other as an argument.',
      );
    }
    for (const needed of canister.dependencies) {
      const other = needed === name ? undefined : byName.get(needed);
      if (other !== undefined) visit(other, [...path, name]);
    }
    ordered.add(canister);
  };
  for (const canister of canisters) visit(canister, []);
  return [...ordered];
}

/** The part of a project that a run is limited to. */
export interface ChosenPart {
  /** Names of canisters in the project. */
  readonly canisters: readonly string[];
  /** Names of the canisters of the deploy that an earlier run has filled. */
  readonly filled: ReadonlySet<string>;
}

type Deployable = Exclude<PlannedCanister, LeftCanister>;

/** What a run does with the canisters of a project. */
export interface CanisterChoice<Canister extends Deployable = Deployable> {
  /** What is built, each after what it needs. */
  readonly order: readonly Canister[];
  /** Names of those that are filled with what is built; the others are built for their interfaces only. */
  readonly published: ReadonlySet<string>;
  /** Names of those that stay as they are. */
  readonly staying: readonly string[];
  /** Names of canisters that were not chosen and come along, since chosen ones need them and nothing is in them yet. */
  readonly added: readonly string[];
}

const NAMED = 30;

/**
 * Which canisters a run builds and fills. Without a choice all of them; else those that are chosen, and what they need as far as
 * it is not live: what is live stays as it is.
 * @param what of a canister that can be chosen, for the message
 * @throws ProjectFileError for a name that the project does not have, and for canisters that need each other in a circle
 */
export function chooseCanisters<Canister extends Deployable>(
  canisters: readonly Canister[],
  part: ChosenPart | null,
  what: string,
): CanisterChoice<Canister> {
  const order = buildOrder(canisters);
  const names = canisters.map(({ name }) => name);
  if (part === null) return { order, published: new Set(names), staying: [], added: [] };
  const byName = new Map(canisters.map((one) => [one.name, one]));
  for (const name of part.canisters) {
    if (byName.has(name)) continue;
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    throw new ProjectFileError(
      `The project has no ${what} '${name}' to deploy alone. It has: ${names.slice(0, NAMED).join(', ')}${more}.`,
    );
  }
  const published = withNeeds(part.canisters, byName, (name) => !part.filled.has(name));
  // Commands of a project read the bindings of all its canisters, whatever the settings say that they need.
  const runsCommands = canisters.some((one) => published.has(one.name) && one.kind !== 'motoko');
  const read = runsCommands ? [...part.filled] : [];
  const built = withNeeds([...published, ...read], byName, () => true);
  return {
    order: order.filter(({ name, kind }) => published.has(name) || (kind === 'motoko' && built.has(name))),
    published,
    staying: names.filter((name) => !published.has(name)),
    added: [...published].filter((name) => !part.canisters.includes(name)),
  };
}

/** Names, and the names of what they need as far as it is wanted, over any number of steps. */
function withNeeds(
  names: readonly string[],
  byName: ReadonlyMap<string, Deployable>,
  isWanted: (name: string) => boolean,
): Set<string> {
  const all = new Set(names);
  for (const name of all) {
    for (const needed of byName.get(name)?.dependencies ?? []) {
      if (byName.has(needed) && isWanted(needed)) all.add(needed);
    }
  }
  return all;
}
