import { ProjectFileError } from './lenient-json.ts';

export type TomlValue = string | number | boolean | TomlValue[] | TomlTable;
export interface TomlTable {
  [key: string]: TomlValue;
}

/** Reads the part of TOML that mops.toml files use: tables, dotted and quoted keys, strings, numbers, arrays, inline tables. */
class TomlReader {
  private readonly text: string;
  private readonly file: string;
  private at = 0;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  document(): TomlTable {
    const root: TomlTable = Object.create(null) as TomlTable;
    let table = root;
    for (this.space(true); this.at < this.text.length; this.space(true)) {
      if (this.take('[')) {
        const listed = this.take('[');
        const path = this.keyPath();
        this.expect(']');
        if (listed) this.expect(']');
        table = this.descend(root, path);
      } else this.assignment(table);
    }
    return root;
  }

  private assignment(table: TomlTable): void {
    const path = this.keyPath();
    this.expect('=');
    this.space(false);
    const key = path.pop() ?? '';
    this.descend(table, path)[key] = this.value();
  }

  private descend(table: TomlTable, path: readonly string[]): TomlTable {
    let current = table;
    for (const key of path) {
      const next = current[key];
      if (typeof next === 'object' && !Array.isArray(next)) current = next;
      else current = current[key] = Object.create(null) as TomlTable;
    }
    return current;
  }

  private keyPath(): string[] {
    const path: string[] = [];
    do {
      this.space(false);
      const bare = /^[\w-]+/.exec(this.text.slice(this.at))?.[0];
      if (bare !== undefined) this.at += bare.length;
      path.push(bare ?? this.string());
      this.space(false);
    } while (this.take('.'));
    return path;
  }

  private value(): TomlValue {
    const char = this.text[this.at];
    if (char === '"' || char === "'") return this.string();
    if (this.take('[')) return this.list(']', () => this.value());
    if (this.take('{')) {
      const table = Object.create(null) as TomlTable;
      this.list('}', () => this.assignment(table));
      return table;
    }
    const word = /^[^\s,\]}#]+/.exec(this.text.slice(this.at))?.[0] ?? this.fail('a value is missing');
    this.at += word.length;
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word.replaceAll('_', ''));
    return Number.isNaN(number) ? word : number;
  }

  private list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    for (this.space(true); !this.take(close); this.space(true)) {
      items.push(item());
      this.space(true);
      if (this.text[this.at] !== close) this.expect(',');
    }
    return items;
  }

  private string(): string {
    const quote = this.text[this.at] ?? '';
    if (quote !== '"' && quote !== "'") this.fail('a string is missing');
    const fence = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote;
    this.at += fence.length;
    const start = this.at;
    while (!this.text.startsWith(fence, this.at)) {
      if (this.at >= this.text.length) this.fail('a string has no end');
      this.at += quote === '"' && this.text[this.at] === '\\' ? 2 : 1;
    }
    const raw = this.text.slice(start, this.at);
    this.at += fence.length;
    if (quote === "'") return raw;
    return raw.replaceAll(/\\(.)/g, (_all, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char);
  }

  private space(lines: boolean): void {
    const skipped = (lines ? /^(?:\s|#[^\n]*)+/ : /^(?:[ \t]|#[^\n]*)+/).exec(this.text.slice(this.at));
    this.at += skipped?.[0].length ?? 0;
  }

  private take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private expect(text: string): void {
    this.space(false);
    if (!this.take(text)) this.fail(`'${text}' is missing`);
  }

  private fail(what: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new ProjectFileError(`${this.file}, line ${line}: ${what}.`);
  }
}

/** @throws ProjectFileError with file and line. */
export function parseToml(text: string, file: string): TomlTable {
  return new TomlReader(text, file).document();
}
