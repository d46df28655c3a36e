import type { Deploy, ProjectPlanAnswer } from '@cannery/contract';

type Planned = ProjectPlanAnswer['canisters'][number];

/** What a canister of a project is filled with, in words. */
const kindTexts: ReadonlyMap<string, string> = new Map([
  ['motoko', 'Motoko'],
  ['site', 'Website'],
  ['module', 'WebAssembly'],
]);

/** Whether the project may have several canisters: one that was deployed with a single one is deployed as a whole. */
export function hasParts({ type, parts }: Deploy): boolean {
  return (type === 'MOTOKO' || type === 'CUSTOM') && parts.length !== 1;
}

/** The canisters of a plan that a run can be limited to. */
export function choosable({ canisters }: ProjectPlanAnswer): Planned[] {
  return canisters.filter(({ kind }) => kind !== 'left');
}

/** Such as 'Motoko' or 'Website, new'. */
export function plannedText({ kind, canister_id: id }: Planned): string {
  const what = kindTexts.get(kind) ?? kind;
  return id === null ? `${what}, new` : what;
}

/** The label of the button that starts the run. */
export function startLabel(count: number): string {
  if (count === 0) return 'Choose canisters';
  return count === 1 ? 'Deploy 1 canister' : `Deploy ${count} canisters`;
}
