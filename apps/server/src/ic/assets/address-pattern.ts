/** A pattern that this server cannot match; the message says why, for the one who wrote it. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}

/** Text as it is, one or more characters up to a slash by name, or any characters (the splat). */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'splat' };

/** The name under which the characters of `*` are taken over (docs.netlify.com/routing/redirects/redirect-options). */
const SPLAT = 'splat';
/** Longer patterns are no addresses that somebody has written, characters. */
const LONGEST = 2_000;
const PLACEHOLDER = /^:([A-Za-z_]\w{0,100})/;

/**
 * A path with placeholders (`/news/:year/*`, `/blog/:year-:slug`), matched in one pass: a placeholder ends at the first
 * place where what follows it stands.
 */
export class AddressPattern {
  readonly #tokens: readonly Token[];
  /** Names of its placeholders. */
  readonly names: readonly string[];

  /** @throws PatternProblem when it cannot be matched in one pass */
  constructor(pattern: string) {
    if (pattern.length > LONGEST) throw new PatternProblem(`it is longer than ${LONGEST} characters`);
    this.#tokens = tokensOf(pattern);
    this.names = this.#tokens.flatMap(nameOf);
    if (this.names.filter((name) => name === SPLAT).length > 1)
      throw new PatternProblem('it has more than one * or :splat');
    const splat = this.#tokens.findIndex(({ kind }) => kind === 'splat');
    if (splat >= 0 && this.#tokens.slice(splat + 1).some(({ kind }) => kind === 'name'))
      throw new PatternProblem('a placeholder follows * or :splat');
    const isDouble = ({ kind }: Token, index: number): boolean =>
      kind !== 'text' && (this.#tokens[index + 1]?.kind ?? 'text') !== 'text';
    if (this.#tokens.some(isDouble))
      throw new PatternProblem('two placeholders follow each other without a character between them');
  }

  /** What its placeholders are in a path; null when it does not match. */
  match(path: string): ReadonlyMap<string, string> | null {
    const captures = new Map<string, string>();
    let at = 0;
    for (const [index, token] of this.#tokens.entries()) {
      if (token.kind === 'text') {
        if (!path.startsWith(token.text, at)) return null;
        at += token.text.length;
        continue;
      }
      const next = this.#tokens[index + 1];
      const after = next?.kind === 'text' ? next.text : '';
      // Nothing but text follows a splat, so that it reaches to where that stands at the end.
      const end =
        token.kind === 'splat'
          ? path.length - after.length
          : endOfName(path, at, { after, isLast: next === undefined });
      if (end < at || (token.kind === 'name' && end === at)) return null;
      const value = path.slice(at, end);
      const [name = ''] = nameOf(token);
      if ((captures.get(name) ?? value) !== value) return null;
      captures.set(name, value);
      at = end;
    }
    return at === path.length ? captures : null;
  }

  /** The path with values in place of its placeholders; those that have none stay. */
  fill(values: ReadonlyMap<string, string>): string {
    return this.#tokens
      .map((token) => {
        if (token.kind === 'text') return token.text;
        const [name = ''] = nameOf(token);
        return values.get(name) ?? (token.kind === 'splat' ? '*' : `:${name}`);
      })
      .join('');
  }
}

function nameOf(token: Token): string[] {
  if (token.kind === 'text') return [];
  return [token.kind === 'name' ? token.name : SPLAT];
}

function endOfName(path: string, at: number, { after, isLast }: { after: string; isLast: boolean }): number {
  const slash = path.indexOf('/', at);
  const segment = slash < 0 ? path.length : slash;
  if (isLast) return segment;
  // From the second character on: a placeholder stands for one at least.
  const found = path.indexOf(after, at + 1);
  return found < 0 || found > segment ? -1 : found;
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  let text = '';
  const add = (token: Token): void => {
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
    tokens.push(token);
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const name = pattern[at] === ':' ? PLACEHOLDER.exec(pattern.slice(at, at + 110))?.[1] : undefined;
    if (pattern[at] === '*') add({ kind: 'splat' });
    else if (name === undefined) text += pattern[at];
    else {
      add(name === SPLAT ? { kind: 'splat' } : { kind: 'name', name });
      at += name.length;
    }
  }
  if (text !== '') tokens.push({ kind: 'text', text });
  return tokens;
}
