import { ProjectFileError } from '../../source/project-file-error.ts';
import { type DhallToken, dhallTokens } from './dhall-tokens.ts';

/** A value of a Dhall file. An import is a value by itself, for whoever may read it. */
export type DhallValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly DhallValue[]; readonly imports: readonly string[] }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, DhallValue> }
  | { readonly kind: 'import'; readonly address: string }
  /** A type, a number, `None`: nothing that a list of packages is made of. */
  | { readonly kind: 'other' };

const OTHER: DhallValue = { kind: 'other' };
/** Most levels of values in one another. */
const DEEPEST = 50;
/** Most entries of all lists together; each `#` copies its lists. */
const ITEM_LIMIT = 200_000;

/** Words that begin what is not read here. */
const UNREAD = new Set(['if', 'merge', 'assert', 'forall', 'toMap', 'with']);

/**
 * Reads the part of Dhall in which vessel.dhall and package-set.dhall are written: `let`, records, lists, texts, `#`,
 * `//`, `Some`, imports and the types of all these. Functions are not read.
 * @throws ProjectFileError with file and line of what cannot be read
 */
export function readDhall(text: string, file: string): DhallValue {
  return new Reader(dhallTokens(text, file), file).read();
}

class Reader {
  readonly #tokens: readonly DhallToken[];
  readonly #file: string;
  #at = 0;
  #depth = 0;
  #items = 0;

  constructor(tokens: readonly DhallToken[], file: string) {
    this.#tokens = tokens;
    this.#file = file;
  }

  read(): DhallValue {
    const value = this.#expression(new Map());
    if (this.#at < this.#tokens.length) this.#fail();
    return value;
  }

  #fail(): never {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new ProjectFileError(`${this.#file} ends too early.`);
    throw new ProjectFileError(
      `${this.#file}, line ${token.line}: '${token.text.slice(0, 50)}' is not supported here. ` +
        'Only lists of packages, as vessel writes them, are.',
    );
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && token.kind !== 'text' && token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail();
  }

  #word(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') return this.#fail();
    this.#at += 1;
    return token.text;
  }

  #expression(names: ReadonlyMap<string, DhallValue>): DhallValue {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new ProjectFileError(`${this.#file} is nested too deeply.`);
    const known = new Map(names);
    while (this.#take('let')) {
      const name = this.#word();
      if (this.#take(':')) this.#expression(known);
      this.#expect('=');
      known.set(name, this.#expression(known));
      this.#take('in');
    }
    let value = this.#operand(known);
    for (;;) {
      if (this.#take('#')) value = this.#joined(value, this.#operand(known));
      else if (this.#take('//') || this.#take('⫽')) value = this.#merged(value, this.#operand(known));
      else break;
    }
    if (this.#take(':')) this.#expression(known);
    this.#depth -= 1;
    return value;
  }

  /** A value with the fields and arguments behind it; `List Text` is a type and counts as nothing. */
  #operand(names: ReadonlyMap<string, DhallValue>): DhallValue {
    let value = this.#part(names);
    for (;;) {
      if (this.#take('.')) {
        const field = this.#word();
        value = (value.kind === 'record' ? value.fields.get(field) : undefined) ?? OTHER;
      } else if (value.kind === 'other' && this.#beginsPart()) {
        value = this.#part(names);
        value = value.kind === 'text' ? value : OTHER;
      } else return value;
    }
  }

  #beginsPart(): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.text === 'let' || token.text === 'in') return false;
    return token.kind !== 'sign' || token.text === '{' || token.text === '(' || token.text === '[';
  }

  #part(names: ReadonlyMap<string, DhallValue>): DhallValue {
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.#fail();
    if (token.kind === 'sign') {
      if (this.#take('[')) return this.#list(names);
      if (this.#take('{')) return this.#record(names);
      if (!this.#take('(')) return this.#fail();
      const value = this.#expression(names);
      this.#expect(')');
      return value;
    }
    if (token.kind === 'word' && UNREAD.has(token.text)) return this.#fail();
    this.#at += 1;
    if (token.kind === 'text') return { kind: 'text', text: token.text };
    if (token.kind === 'import') return { kind: 'import', address: token.text };
    return names.get(token.text) ?? OTHER;
  }

  #list(names: ReadonlyMap<string, DhallValue>): DhallValue {
    const items: DhallValue[] = [];
    this.#take(',');
    while (!this.#take(']')) {
      items.push(this.#expression(names));
      if (!this.#take(',') && !this.#is(']')) this.#fail();
    }
    return this.#counted(items, []);
  }

  #record(names: ReadonlyMap<string, DhallValue>): DhallValue {
    const fields = new Map<string, DhallValue>();
    this.#take(',');
    if (this.#take('=')) {
      this.#expect('}');
      return { kind: 'record', fields };
    }
    while (!this.#take('}')) {
      const name = this.#word();
      // `{ name : Text }` is a type, `{ name }` takes the value of that name.
      if (this.#take(':')) this.#expression(names);
      else fields.set(name, this.#take('=') ? this.#expression(names) : (names.get(name) ?? OTHER));
      if (!this.#take(',') && !this.#is('}')) this.#fail();
    }
    return { kind: 'record', fields };
  }

  #counted(items: readonly DhallValue[], imports: readonly string[]): DhallValue {
    this.#items += items.length + imports.length;
    if (this.#items > ITEM_LIMIT) throw new ProjectFileError(`${this.#file} lists too many packages.`);
    return { kind: 'list', items, imports };
  }

  /** Lists one behind the other; an import among them is noted. */
  #joined(left: DhallValue, right: DhallValue): DhallValue {
    const parts = [left, right].map((value) => {
      if (value.kind === 'list') return value;
      return { items: [], imports: value.kind === 'import' ? [value.address] : [] };
    });
    return this.#counted(
      parts.flatMap(({ items }) => items),
      parts.flatMap(({ imports }) => imports),
    );
  }

  #merged(left: DhallValue, right: DhallValue): DhallValue {
    if (left.kind !== 'record' || right.kind !== 'record') return OTHER;
    return { kind: 'record', fields: new Map([...left.fields, ...right.fields]) };
  }
}
