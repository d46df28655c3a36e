import type { Deploy, InstallArgumentText } from '@cannery/contract';

/** A line of the form: a canister of the project and its arguments. */
export interface ArgumentRow {
  readonly canister: string;
  readonly argument: string;
  /** Whether the name can be changed: a canister that no run has named yet. */
  readonly isNew: boolean;
}

/** The arguments as they are saved, with an empty line for each other canister of code. */
export function argumentRows(deploy: Deploy): ArgumentRow[] {
  const saved = new Map(
    deploy.install_arguments.flatMap(({ canister, argument }) =>
      canister === null ? [] : [[canister, argument ?? '']],
    ),
  );
  const known = deploy.parts.flatMap(({ name, kind }) => (name === null || kind === 'site' ? [] : [name]));
  const names = [...new Set([...known, ...saved.keys()])];
  return names.map((canister) => ({ canister, argument: saved.get(canister) ?? '', isNew: false }));
}

/** The lines that say something, as the update call takes them. */
export function givenArguments(rows: readonly ArgumentRow[]): InstallArgumentText[] {
  return rows
    .map(({ canister, argument }) => ({ canister: canister.trim(), argument: argument.trim() }))
    .filter(({ canister, argument }) => canister !== '' && argument !== '');
}
