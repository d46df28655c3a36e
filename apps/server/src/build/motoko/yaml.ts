import { ProjectFileError } from './lenient-json.ts';

export type YamlValue = string | null | YamlValue[] | { [key: string]: YamlValue };

interface Line {
  indent: number;
  text: string;
  number: number;
}

/** Reads the part of YAML that icp.yaml and canister.yaml use: block maps and lists, flow lists, quoted and block text. */
class YamlReader {
  private readonly lines: Line[];
  private readonly file: string;
  private at = 0;

  constructor(text: string, file: string) {
    this.file = file;
    this.lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .map((raw, index) => ({ indent: raw.search(/\S|$/), text: raw.trim(), number: index + 1 }));
  }

  document(): YamlValue {
    const value = this.block(0);
    if (this.peek() !== null) this.fail('this indentation fits nothing above it');
    return value;
  }

  /** The next line with content, without moving on. */
  private peek(): Line | null {
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at];
      if (line !== undefined && line.text !== '' && !/^(?:#|---|%)/.test(line.text)) return line;
    }
    return null;
  }

  private block(minimum: number): YamlValue {
    const first = this.peek();
    if (first === null || first.indent < minimum) return null;
    if (isItem(first.text)) return this.list(first.indent);
    if (keyOf(first.text) !== null) return this.map(first.indent);
    this.at += 1;
    return scalar(first.text);
  }

  private list(indent: number): YamlValue[] {
    const items: YamlValue[] = [];
    for (let line = this.peek(); line?.indent === indent && isItem(line.text); line = this.peek()) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '' || rest.startsWith('#')) {
        this.at += 1;
        items.push(this.block(indent + 1));
      } else {
        // The item's own text starts a block that is indented by the dash.
        line.indent = indent + line.text.length - rest.length;
        line.text = rest;
        items.push(
          keyOf(rest) === null && !isItem(rest) ? this.inline(rest, indent) : this.block(line.indent),
        );
      }
    }
    return items;
  }

  private map(indent: number): { [key: string]: YamlValue } {
    const map = Object.create(null) as { [key: string]: YamlValue };
    for (let line = this.peek(); line?.indent === indent; line = this.peek()) {
      const key = keyOf(line.text) ?? this.fail('a key is missing');
      const rest = key.rest.replace(/^#.*$/, '');
      if (rest !== '') {
        map[key.name] = this.inline(rest, indent);
        continue;
      }
      this.at += 1;
      const next = this.peek();
      // A list may stand at the same indentation as its key.
      map[key.name] = this.block(next?.indent === indent && isItem(next.text) ? indent : indent + 1);
    }
    return map;
  }

  private inline(text: string, indent: number): YamlValue {
    this.at += 1;
    if (!/^[|>][+-]?\s*(?:#.*)?$/.test(text)) return scalar(text);
    const parts: string[] = [];
    for (; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at];
      if (line === undefined || (line.text !== '' && line.indent <= indent)) break;
      parts.push(line.text);
    }
    return parts.join(text.startsWith('|') ? '\n' : ' ').trim();
  }

  private fail(what: string): never {
    throw new ProjectFileError(`${this.file}, line ${this.peek()?.number ?? this.lines.length}: ${what}.`);
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function keyOf(text: string): { name: string; rest: string } | null {
  const match = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[\]{},][^#]*?)\s*:(?:\s+(.*))?$/.exec(text);
  if (match === null || /^[^"']*:\s/.test(match[1] ?? '')) return null;
  return { name: String(scalar(match[1] ?? '')), rest: match[2] ?? '' };
}

function scalar(text: string): YamlValue {
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text) ?? /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text);
  if (quoted !== null) {
    const inner = quoted[1] ?? '';
    return text.startsWith("'") ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(.)/g, '$1');
  }
  const plain = text.replace(/\s+#.*$/, '').trim();
  const flow = /^\[(.*)\]$/.exec(plain);
  if (flow !== null) return (flow[1] ?? '').split(',').map((part) => scalar(part.trim()));
  return plain === '' || plain === '~' || plain === 'null' ? null : plain;
}

/** Numbers and truth values stay text. @throws ProjectFileError with file and line. */
export function parseYaml(text: string, file: string): YamlValue {
  return new YamlReader(text, file).document();
}
