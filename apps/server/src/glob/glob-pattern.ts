/** A pattern that cannot be read, or is too long. */
export class GlobError extends Error {
  override readonly name = 'GlobError';
}

/** What a part of a pattern stands for. */
export type GlobPart =
  | { readonly kind: 'literal'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'run' }
  /** `**` before a slash where a path or a branch begins: nothing, a slash, or folders. */
  | { readonly kind: 'foldersFirst' }
  /** `/**` where the pattern or a branch ends. */
  | { readonly kind: 'foldersLast' }
  /** `/**` and a slash: one slash, or folders between two. */
  | { readonly kind: 'foldersBetween' }
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    }
  | { readonly kind: 'branches'; readonly branches: readonly (readonly GlobPart[])[] };

/** Most characters of a pattern: a path itself has 4,096 at most (PATH_MAX of Linux), and no known rule comes near. */
const LONGEST = 1_000;
/** Characters of a pattern that a message shows. */
const SHOWN = 60;
/** Most braces in one another. */
const DEEPEST = 20;
const SLASH = 47;
const DASH = 45;

/**
 * Reads a pattern by the rules of Rust's `globset` with its defaults, which the reference tools use: `**` between
 * slashes for any folders, `{a,b}` for either (an empty branch counts for nothing), `[a-z]` and `[!a-z]`, `\` before a
 * character that means itself. A slash is put before it.
 * @throws GlobError when it is too long, or brackets, braces or ranges are wrong
 */
export function readGlob(pattern: string): readonly GlobPart[] {
  if (pattern.length > LONGEST)
    throw new GlobError(`the pattern '${pattern.slice(0, SHOWN)}…' has more than ${LONGEST} characters`);
  return new GlobReader(pattern).whole();
}

class GlobReader {
  readonly #pattern: string;
  readonly #codes: readonly number[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern.length > SHOWN ? `${pattern.slice(0, SHOWN)}…` : pattern;
    // Patterns and paths both begin with the slash of their folder, as the reference tools have it.
    this.#codes = Array.from(`/${pattern}`, (char) => char.codePointAt(0) ?? 0);
  }

  whole(): GlobPart[] {
    const parts = this.#sequence();
    if (this.#at < this.#codes.length)
      throw new GlobError(`'${this.#pattern}' closes a brace that it does not open`);
    return parts;
  }

  #char(offset = 0): string {
    const code = this.#codes[this.#at + offset];
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** Parts up to the end, or to the comma or brace that ends a branch. */
  #sequence(): GlobPart[] {
    const parts: GlobPart[] = [];
    for (let char = this.#char(); char !== ''; char = this.#char()) {
      if (char === '}' || (char === ',' && this.#depth > 0)) break;
      if (char === '*') this.#stars(parts);
      else {
        const part = this.#single(char);
        if (part.kind !== 'branches' || part.branches.length > 0) parts.push(part);
      }
    }
    return parts;
  }

  #single(char: string): GlobPart {
    if (char === '[') return this.#characterClass();
    if (char === '{') return this.#branches();
    this.#at += 1;
    if (char === '?') return { kind: 'any' };
    if (char !== '\\') return { kind: 'literal', code: char.codePointAt(0) ?? 0 };
    const code = this.#codes[this.#at];
    if (code === undefined) throw new GlobError(`'${this.#pattern}' ends in a backslash`);
    this.#at += 1;
    return { kind: 'literal', code };
  }

  #branches(): GlobPart {
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw new GlobError(`'${this.#pattern}' has more than ${DEEPEST} braces in one another`);
    const branches: GlobPart[][] = [];
    do {
      this.#at += 1;
      const branch = this.#sequence();
      if (branch.length > 0) branches.push(branch);
    } while (this.#char() === ',');
    if (this.#char() !== '}') throw new GlobError(`a brace in '${this.#pattern}' is not closed`);
    this.#at += 1;
    this.#depth -= 1;
    return { kind: 'branches', branches };
  }

  #stars(parts: GlobPart[]): void {
    this.#at += 1;
    if (this.#char() !== '*') {
      parts.push({ kind: 'run' });
      return;
    }
    this.#at += 1;
    const before = parts.at(-1);
    const next = this.#char();
    const isLast = next === '' || (this.#depth > 0 && (next === ',' || next === '}'));
    const afterSlash = before?.kind === 'literal' && before.code === SLASH;
    const afterFolders = before?.kind === 'foldersBetween' || before?.kind === 'foldersFirst';
    if (before === undefined && next === '/') {
      this.#at += 1;
      parts.push({ kind: 'foldersFirst' });
    } else if (afterFolders && (next === '/' || isLast)) {
      // A row of them says no more than one, but that the last may end the path.
      if (next === '/') this.#at += 1;
      else if (before.kind === 'foldersBetween') parts.splice(-1, 1, { kind: 'foldersLast' });
    } else if (afterSlash && next === '/') {
      this.#at += 1;
      parts.splice(-1, 1, { kind: 'foldersBetween' });
    } else if (afterSlash && isLast) parts.splice(-1, 1, { kind: 'foldersLast' });
    else parts.push({ kind: 'run' });
  }

  #characterClass(): GlobPart {
    const open = new GlobError(`the class of characters in '${this.#pattern}' is not closed`);
    this.#at += 1;
    const negated = this.#char() === '!' || this.#char() === '^';
    if (negated) this.#at += 1;
    const ranges: [number, number][] = [];
    let ranging = false;
    // A closing bracket or a dash in the first place means itself.
    for (let isFirst = true; isFirst || this.#char() !== ']'; isFirst = false) {
      const code = this.#codes[this.#at];
      if (code === undefined) throw open;
      this.#at += 1;
      const range = ranges.at(-1);
      if (ranging && range !== undefined) {
        if (code < range[0]) throw new GlobError(`a range in '${this.#pattern}' ends before it begins`);
        range[1] = code;
        ranging = false;
      } else if (code === DASH && !isFirst) ranging = true;
      else ranges.push([code, code]);
    }
    this.#at += 1;
    if (ranging) ranges.push([DASH, DASH]);
    return { kind: 'class', negated, ranges };
  }
}
