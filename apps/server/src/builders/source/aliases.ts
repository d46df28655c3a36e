/** An import `canister:alias` that a compiler flag explains. */
export interface FlagAlias {
  readonly alias: string;
  /** Name of the canister of the project whose id it is. */
  readonly canister: string;
  /** File of its interface as written; null where the flag names none. */
  readonly candid: string | null;
}

/** Prefix of the environment variables that tell a canister the ids of the others of its project (icp-cli). */
export const ID_VARIABLE = 'PUBLIC_CANISTER_ID:';

/**
 * The imports that `--actor-env-alias <alias> <variable> <file>` explains. The compiler here takes fixed ids only, so
 * the id that the variable would have at run time is put in when compiling.
 */
export function flagAliases(flags: readonly string[]): FlagAlias[] {
  return flags.flatMap((flag, at) => {
    if (flag !== '--actor-env-alias') return [];
    const [alias, variable, candid] = flags.slice(at + 1, at + 4);
    if (alias === undefined || !variable?.startsWith(ID_VARIABLE)) return [];
    const canister = variable.slice(ID_VARIABLE.length);
    return [{ alias, canister, candid: candid === undefined || candid.startsWith('-') ? null : candid }];
  });
}
