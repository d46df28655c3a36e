import { BuildError } from '../build-error.ts';
import type { LeftCanister, PlannedCanister, RustCanister } from './plan.ts';

/** A canister of the project that is not deployed. */
export interface LeftOutCanister {
  readonly name: string;
  /** What it is, as people name it, such as 'Rust'. */
  readonly type: string;
  /** Why, as a sentence. */
  readonly reason: string;
  /** Name of the canister that cannot work without it; null when none of those that are deployed needs it. */
  readonly neededBy: string | null;
}

/** What cannot go live, since canisters that it needs are left out and the owner has not agreed to that. */
export class LeftOutError extends BuildError {
  readonly left: readonly LeftOutCanister[];
  /** How many canisters would be deployed. */
  readonly deployed: number;

  constructor(message: string, { left, deployed }: { left: readonly LeftOutCanister[]; deployed: number }) {
    super(message);
    this.left = left;
    this.deployed = deployed;
  }
}

const KINDS = { motoko: 'Motoko', site: 'website', module: 'WebAssembly', rust: 'Rust' } as const;
const TYPES: ReadonlyMap<string, string> = new Map([
  ['motoko', 'Motoko'],
  ['assets', 'website'],
  ['module', 'WebAssembly'],
]);
const COMPILED_ELSEWHERE: ReadonlyMap<string, { readonly name: string; readonly language?: string }> =
  new Map([
    ['rust', { name: 'Rust' }],
    ['azle', { name: 'Azle', language: 'TypeScript' }],
    ['kybra', { name: 'Kybra', language: 'Python' }],
  ]);
/** Characters of a type that the project names itself. */
const TYPE_SHOWN = 50;

/** What a canister is, as people name it. */
export function typeText(canister: PlannedCanister): string {
  if (canister.kind !== 'left') return KINDS[canister.kind];
  // Such as `@dfinity/rust@v3.1.0`.
  const recipe = /^@[\w-]{1,50}\/([\w-]{1,50})/.exec(canister.type)?.[1] ?? canister.type;
  const type = recipe.toLowerCase();
  return TYPES.get(type) ?? COMPILED_ELSEWHERE.get(type)?.name ?? canister.type.slice(0, TYPE_SHOWN);
}

/** Why a canister of a type is not deployed, as the second half of a sentence. */
export function leftReason(type: string): string {
  const known = COMPILED_ELSEWHERE.get(type);
  if (known === undefined) return `the type ${type.slice(0, TYPE_SHOWN)} is not known here`;
  const { name, language } = known;
  const named = language === undefined ? name : `${name} (${language})`;
  return `${named} is not compiled here; build it on your machine, commit its WebAssembly, and name it in dfx.json by the type "custom"`;
}

/** A canister of Rust where none is compiled. @param problem why not, as the second half of a sentence */
export function rustLeftOut(canister: RustCanister, problem: string): LeftCanister {
  const { package: _, crate: __, ...common } = canister;
  const instead =
    'or build it on your machine, commit its WebAssembly, and name that by the type "custom" (dfx.json) or a pre-built step (icp.yaml)';
  return { ...common, kind: 'left', type: 'rust', reason: `${problem}; ${instead}`, id: null };
}

/** Names that a canister needs: those that it names; all of the project for a website that names none. */
function needs(canister: PlannedCanister, name: string): boolean {
  const { kind, dependencies } = canister;
  return dependencies.length === 0 && kind === 'site' ? true : dependencies.includes(name);
}

/**
 * Says of each canister that is not deployed which of the deployed ones cannot work without it. One that is on the network
 * of the deploy already is not left out; one with a principal on the real network is somebody else's, and clients may use that.
 */
export function leftOutOf(
  deployed: readonly PlannedCanister[],
  others: readonly PlannedCanister[],
): LeftOutCanister[] {
  const away = others.filter((one) => one.kind !== 'left' || one.id === null);
  return away.map((one) => {
    const { name } = one;
    const isOthers = 'realId' in one && one.realId !== null;
    const needing = isOthers ? undefined : deployed.find((each) => needs(each, name));
    const reason = one.kind === 'left' ? sentence(one.reason) : 'It is no Motoko canister.';
    return { name, type: typeText(one), reason, neededBy: needing?.name ?? null };
  });
}

function sentence(text: string): string {
  // Addresses and names of files stay as they are.
  return `${text.replace(/^[a-z]+(?= )/, (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)}.`;
}

/**
 * Those that are left out, when nothing that is deployed needs one of them without the owner's consent.
 * @param options.deployed how many canisters would be deployed
 * @param options.agreed names that the settings of the deploy allow to be left out
 * @throws LeftOutError with the canisters that are needed
 */
export function checkLeftOut(
  left: readonly LeftOutCanister[],
  { deployed, agreed }: { deployed: number; agreed: readonly string[] },
): LeftOutCanister[] {
  const checked = left.map((one) => (agreed.includes(one.name) ? { ...one, neededBy: null } : one));
  const needed = checked.filter(({ neededBy }) => neededBy !== null);
  if (needed.length === 0) return checked;
  const [first] = needed;
  const names = needed.map(({ name }) => name).join(', ');
  throw new LeftOutError(
    needed
      .slice(0, 3)
      .map(
        ({ name, type, neededBy, reason }) =>
          `${neededBy} needs ${name} (${type}), which is not deployed: ${reason}`,
      )
      .join(' ') +
      ` Nothing was changed. To deploy without ${needed.length === 1 ? first?.name : `them (${names})`} all the same, ` +
      "choose 'Deploy without' on the page of the deploy.",
    { left: checked, deployed },
  );
}
