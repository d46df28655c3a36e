/** How a compiled actor keeps its state over an upgrade: its heap (enhanced), or its stable variables in stable memory (classic). */
export type Persistence = 'enhanced' | 'classic';

/** How one file of the suite is compiled. */
export interface CompilerSettings {
  readonly persistence: Persistence;
  /** Whether every message ends with a garbage collection. */
  readonly forceGc: boolean;
  readonly incrementalGc: boolean;
  /** Flags npm `motoko` takes as they are. */
  readonly flags: readonly string[];
  /** Folder with the interface files of imported canisters. */
  readonly candidFolder: string | undefined;
  /** Name and ID of canisters imported by name. */
  readonly aliases: readonly (readonly [name: string, id: string])[];
}

/** The file wants a flag that npm `motoko` cannot set. */
export class UnsupportedFlagError extends Error {
  override readonly name = 'UnsupportedFlagError';
}

/**
 * Flags that npm `motoko` cannot set and that change nothing but the size of stable memory, with the number of their
 * arguments: the first makes the tables of regions at the start and not at their first use, the second chooses whether the use of a
 * deprecated library is an error, a warning or neither (`src/exes/moc.ml` of dfinity/motoko).
 */
const WITHOUT_EFFECT: ReadonlyMap<string, number> = new Map([
  ['--stable-regions', 0],
  ['--experimental-stable-memory', 1],
]);
/** Flags npm `motoko` accepts, with the number of their arguments. */
const ACCEPTED: ReadonlyMap<string, number> = new Map([
  ['--default-persistent-actors', 0],
  ['-A', 1],
  ['-W', 1],
  ['-E', 1],
]);

/** Reads the `//MOC-FLAG` lines of a file over the settings of the run; throws `UnsupportedFlagError`. */
export function compilerSettings(
  source: string,
  run: { readonly persistence: Persistence; readonly forceGc: boolean; readonly incrementalGc: boolean },
): CompilerSettings {
  const words = [...source.matchAll(/\/\/MOC-FLAG(.*)/g)].flatMap(([, text = '']) =>
    text.trim().split(/\s+/),
  );
  const flags: string[] = [];
  const aliases: [string, string][] = [];
  let { persistence, incrementalGc } = run;
  let candidFolder: string | undefined;
  while (words.length > 0) {
    const flag = words.shift() ?? '';
    const ignored = WITHOUT_EFFECT.get(flag);
    if (ignored !== undefined) {
      words.splice(0, ignored);
      continue;
    }
    const count = ACCEPTED.get(flag);
    if (count !== undefined) flags.push(flag, ...words.splice(0, count));
    else if (flag === '--enhanced-orthogonal-persistence' && run.persistence === 'enhanced') continue;
    else if (flag === '--legacy-persistence') persistence = 'classic';
    else if (flag === '--incremental-gc') incrementalGc = true;
    else if (flag === '--actor-idl') candidFolder = words.shift();
    else if (flag === '--actor-alias') aliases.push([words.shift() ?? '', words.shift() ?? '']);
    else throw new UnsupportedFlagError(flag);
  }
  return { persistence, forceGc: run.forceGc, incrementalGc, flags, candidFolder, aliases };
}
