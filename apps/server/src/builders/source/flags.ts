/** Flags of the compiler that run inside this server; a flag of a project that is not here is left out. */
const WITHOUT_VALUE = new Set([
  '--default-persistent-actors',
  '--legacy-actors',
  '--hide-warnings',
  '-Werror',
  '--all-libs',
  '--ai-errors',
  '--error-recovery',
]);
const WITH_VALUE = new Set(['-W', '-A', '-E', '--error-detail', '--implicit-package']);

/** Flags that change nothing here: what they ask for is always so, or is decided by the server. */
const WITHOUT_EFFECT = new Set([
  '--enhanced-orthogonal-persistence',
  '--incremental-gc',
  '--generational-gc',
  '--compacting-gc',
  '--copying-gc',
  '--force-gc',
  '--public-metadata',
  '-v',
  '-c',
  '--release',
  '--debug',
  '-no-check-ir',
  // Read by aliases.ts.
  '--actor-env-alias',
]);

export interface FilteredFlags {
  flags: string[];
  /** Flags that were left out, as the project writes them. */
  dropped: string[];
}

/** Splits a flag text of dfx.json or icp.yaml at spaces; quotes keep their text together. */
export function splitFlags(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? '');
}

/** Keeps the flags the compiler knows. A dropped flag takes the values that follow it with it. */
export function filterFlags(given: readonly string[]): FilteredFlags {
  const flags: string[] = [];
  const dropped: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const flag = given[at] ?? '';
    const name = flag.split('=', 1)[0] ?? '';
    const value = given[at + 1];
    if (WITHOUT_VALUE.has(flag) || (WITH_VALUE.has(name) && flag.includes('='))) flags.push(flag);
    else if (WITH_VALUE.has(flag) && value !== undefined && !value.startsWith('-')) {
      flags.push(flag, value);
      at += 1;
    } else {
      const values: string[] = [];
      while (at + 1 < given.length && !given[at + 1]?.startsWith('-')) {
        at += 1;
        values.push(given[at] ?? '');
      }
      if (!WITHOUT_EFFECT.has(name)) dropped.push([flag, ...values].join(' '));
    }
  }
  return { flags, dropped };
}

/** The compiler's complaints about an actor that says neither `persistent` nor how its variables live. */
export const NOT_PERSISTENT: readonly string[] = ['M0219', 'M0220'];

/**
 * The sets of flags to try in order: as the project says, then with the meaning actors had before they could be
 * `persistent`, then with today's.
 */
export function flagAttempts(flags: readonly string[]): string[][] {
  const attempts = [[...flags]];
  for (const extra of ['--legacy-actors', '--default-persistent-actors']) {
    if (!flags.includes(extra)) attempts.push([...flags, extra]);
  }
  return attempts;
}
