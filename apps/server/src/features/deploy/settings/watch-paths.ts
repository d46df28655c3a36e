import { setImmediate } from 'node:timers/promises';
import { Glob } from '../../../glob/glob.ts';

/** A pattern and what it says of the names that match it. */
interface Rule {
  readonly isOut: boolean;
  /** The pattern itself, and everything in a folder of that name. */
  readonly globs: readonly Glob[];
}

/**
 * Steps of patterns times characters of names that are looked at for one push: about a tenth of a second. 100 names of 60
 * characters and 50 patterns of 40 take a fifth of that.
 */
const MOST_WORK = 20_000_000;
/** Work after which everybody else has a turn: a few milliseconds. */
const WORK_AT_ONCE = 500_000;

function ruleOf(pattern: string): Rule {
  const isOut = pattern.startsWith('!');
  const path = pattern.slice(isOut ? 1 : 0).replace(/^(?:\.?\/)+|\/+$/g, '');
  const texts = path.endsWith('**') ? [path] : [path, `${path}/**`];
  return { isOut, globs: texts.map((text) => new Glob(text, { acrossFolders: false })) };
}

/** The paths of a repository whose change deploys: patterns, of which the last that matches a name decides. */
export class WatchPaths {
  readonly #rules: readonly Rule[];
  readonly #size: number;

  /** @throws GlobError for a pattern that cannot be read */
  constructor(patterns: readonly string[]) {
    this.#rules = patterns.map(ruleOf);
    this.#size = this.#rules.flatMap(({ globs }) => globs).reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether a change of one of these names deploys; also true where there are too many to tell. */
  async haveChanged(names: readonly string[]): Promise<boolean> {
    const characters = names.reduce((sum, { length }) => sum + length + 1, 0);
    if (characters * this.#size > MOST_WORK) return true;
    let work = 0;
    for (const name of names) {
      if (this.#counts(name)) return true;
      work += (name.length + 1) * this.#size;
      if (work < WORK_AT_ONCE) continue;
      work = 0;
      await setImmediate();
    }
    return false;
  }

  #counts(name: string): boolean {
    // Whoever only takes something out begins with everything.
    const rule = this.#rules.findLast(({ globs }) => globs.some((glob) => glob.matches(name)));
    return rule === undefined ? this.#rules[0]?.isOut === true : !rule.isOut;
  }
}
