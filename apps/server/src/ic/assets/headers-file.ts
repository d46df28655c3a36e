import type { Header } from '../replies/listed-asset.ts';
import { AddressPattern, PatternProblem } from './address-pattern.ts';
import { isHeader, SiteRulesError } from './asset-rules.ts';
import type { LineProblem } from './redirects-file.ts';

export const HEADERS_FILE = '_headers';
/** Most blocks; the longest seen in public repositories has 40. */
const MOST_BLOCKS = 1_000;
/** What the canister or its gateway sets (docs/headers.md of dfinity/certified-assets). */
const RESERVED = new Set([
  'content-length',
  'content-encoding',
  'etag',
  'transfer-encoding',
  'accept-ranges',
  'content-range',
  'connection',
  'ic-certificate',
  'ic-certificateexpression',
  'location',
]);

interface Block {
  readonly place: number;
  readonly path: string;
  readonly pattern: AddressPattern;
  readonly headers: Header[];
}

/** What a file `_headers` says of one file of the site. */
export interface FileHeaders {
  /** A name has one value, in which those of several blocks are joined; cookies stay apart. */
  readonly headers: readonly Header[];
  readonly contentType: string | undefined;
}

/** The blocks of a file `_headers`: a path, which may have one `*` and placeholders, and lines `Name: value` below it. */
export class SiteHeaders {
  readonly problems: LineProblem[] = [];
  readonly #blocks: Block[] = [];
  readonly #byBlocks = new Map<string, FileHeaders>();

  /** @throws SiteRulesError when it has too many blocks */
  constructor(text: string) {
    let block: Block | undefined;
    for (const [index, written] of text.split('\n').entries()) {
      const line = written.trim();
      if (line === '' || line.startsWith('#')) continue;
      const problem = (reason: string): void => void this.problems.push({ line: index + 1, text: reason });
      if (line.startsWith('/') || /^https?:\/\//i.test(line)) {
        block = this.#begin(line, problem);
        continue;
      }
      const colon = line.indexOf(':');
      const header: Header = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      if (colon <= 0 || !isHeader(...header)) problem('it is neither a path nor a header');
      else if (RESERVED.has(header[0].toLowerCase()))
        problem(`the header ${header[0]} is set by the canister itself`);
      else if (block === undefined) problem('no path stands above it');
      else block.headers.push(header);
    }
  }

  #begin(line: string, problem: (reason: string) => void): Block | undefined {
    if (this.#blocks.length >= MOST_BLOCKS)
      throw new SiteRulesError(`${HEADERS_FILE} has more than ${MOST_BLOCKS} paths.`);
    try {
      if (!line.startsWith('/')) throw new PatternProblem('headers are set by paths, for all hosts');
      const path = decodeURIComponent(line);
      const block: Block = {
        place: this.#blocks.length,
        path,
        pattern: new AddressPattern(path),
        headers: [],
      };
      this.#blocks.push(block);
      return block;
    } catch (error) {
      if (!(error instanceof PatternProblem || error instanceof URIError)) throw error;
      problem(error instanceof URIError ? 'its path is not UTF-8' : error.message);
      // The headers below it are of no path, which is said once.
      return { place: -1, path: '', pattern: new AddressPattern(''), headers: [] };
    }
  }

  /** What holds for a file by the addresses at which visitors see it. One object where the same blocks match. */
  of(addresses: readonly string[]): FileHeaders {
    return this.#merged(({ pattern }) => addresses.some((address) => pattern.match(address) !== null));
  }

  /** What holds for a redirect from a path; for all in a folder where it ends with `*`. */
  ofRedirect(path: string): readonly Header[] {
    const folder = path.endsWith('*') ? path.slice(0, -1) : undefined;
    return this.#merged(({ path: block, pattern }) =>
      folder === undefined
        ? pattern.match(path) !== null
        : block.endsWith('*') && pattern.names.length === 1 && folder.startsWith(block.slice(0, -1)),
    ).headers;
  }

  #merged(matches: (block: Block) => boolean): FileHeaders {
    const matching = this.#blocks.filter(matches);
    const key = matching.map(({ place }) => place).join();
    const known = this.#byBlocks.get(key) ?? mergedHeaders(matching.flatMap(({ headers }) => headers));
    this.#byBlocks.set(key, known);
    return known;
  }
}

function mergedHeaders(all: readonly Header[]): FileHeaders {
  const byName = new Map<string, Header>();
  const cookies: Header[] = [];
  let contentType: string | undefined;
  for (const [name, value] of all) {
    const lower = name.toLowerCase();
    const before = byName.get(lower);
    if (lower === 'content-type') contentType ??= value;
    else if (lower === 'set-cookie') cookies.push([name, value]);
    else byName.set(lower, before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`]);
  }
  return { headers: [...byName.values(), ...cookies], contentType };
}
