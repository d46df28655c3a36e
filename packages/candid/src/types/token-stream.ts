import { CandidSyntaxError } from '../errors.ts';
import { type Token, tokenize } from './lexer.ts';
import { textOf } from './quoted.ts';

/** Nesting beyond this is refused, so that a hostile text cannot exhaust the stack. */
const MAX_DEPTH = 200;

/** Walks over the tokens of a Candid text with one token of look-ahead. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** The token to be read next, or one further on; at the end of the text the `end` token. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)];
    if (!token) throw new RangeError('a token list always ends with an end token');
    return token;
  }

  /** Reads one token. */
  next(): Token {
    const token = this.peek();
    this.#index++;
    return token;
  }

  /** Whether the next token is this word or sign (never a quoted text). */
  at(source: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === 'punct' || token.kind === 'id') && token.source === source;
  }

  /** Reads the word or sign if it comes next. */
  accept(source: string): boolean {
    if (!this.at(source)) return false;
    this.#index++;
    return true;
  }

  /** Reads the word or sign; `where` completes the sentence "expected ';' ...". */
  expect(source: string, where: string): Token {
    if (!this.at(source)) throw this.unexpected(`'${source}' ${where}`);
    return this.next();
  }

  /** Reads a quoted text. */
  expectText(what: string): string {
    const token = this.peek();
    if (token.kind !== 'text' || !token.bytes) throw this.unexpected(what);
    this.#index++;
    return textOf(token.bytes, token);
  }

  /** An error that says what was wanted and what stands there. */
  unexpected(wanted: string, token: Token = this.peek()): CandidSyntaxError {
    const found = token.kind === 'end' ? 'the text ends here' : `found ${describe(token)}`;
    return new CandidSyntaxError(`expected ${wanted}, but ${found}`, token);
  }

  /** Runs `read` one nesting level deeper. */
  nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      throw new CandidSyntaxError(`nested deeper than ${MAX_DEPTH} levels`, this.peek());
    }
    const result = read();
    this.#depth--;
    return result;
  }

  /** Reads `open item separator item ... close`; a separator before `close` is allowed. */
  list<T>(open: string, separator: string, close: string, item: (index: number) => T): T[] {
    const opening = this.expect(open, 'here');
    const items: T[] = [];
    while (!this.at(close)) {
      if (this.peek().kind === 'end') {
        throw new CandidSyntaxError(`this '${open}' is never closed: add '${close}'`, opening);
      }
      items.push(item(items.length));
      if (!this.at(close)) this.expect(separator, `or '${close}'`);
    }
    this.next();
    return items;
  }
}

function describe(token: Token): string {
  return token.kind === 'text' ? `the text ${token.source}` : `'${token.source}'`;
}
