import { ProjectFileError } from '../source/project-file-error.ts';
import type { PlannedCanister } from './plan.ts';

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
