// What the site check has found, as far as it is told.

/** Characters of a path or a link that are told. */
const SHOWN = 300;
/** Different links whose pages are counted; of further ones each use counts. */
const LINKS = 10_000;

/** @param {string} text */
function shown(text) {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
}

/** Names what was found, a bounded number of each kind, and counts the rest. */
export class Findings {
  /** @type {Map<string, { files: string[], more: number }>} */
  #kinds = new Map();
  /** By their paths. @type {Map<string, { kind: string, page: string, last: string, pages: number, actual: string | null }>} */
  #links = new Map();

  /** @param {number} told how many of a kind are named */
  constructor(told) {
    this.told = told;
  }

  /** @param {string} kind @param {...string} names put together with colons; without any only the kind is told */
  add(kind, ...names) {
    const found = this.#of(kind);
    if (names.length === 0) return;
    if (found.files.length < this.told) found.files.push(names.map(shown).join(': '));
    else found.more += 1;
  }

  /** A link that leads to nothing. @param {string} page @param {string} path @param {string | null} actual the file that was meant */
  addLink(page, path, actual) {
    const known = this.#links.get(path);
    if (known !== undefined) {
      if (known.last !== page) known.pages += 1;
      known.last = page;
      return;
    }
    const kind = actual === null ? 'broken' : 'letters';
    if (this.#links.size < LINKS) this.#links.set(path, { kind, page, last: page, pages: 1, actual });
    else this.#of(kind).more += 1;
  }

  /** @param {string} kind */
  #of(kind) {
    const found = this.#kinds.get(kind) ?? { files: [], more: 0 };
    this.#kinds.set(kind, found);
    return found;
  }

  /** Names and numbers by kind. @returns {[kind: string, files: string[], more: number][]} */
  answer() {
    for (const [path, { kind, page, pages, actual }] of this.#links) {
      const others = pages === 1 ? '' : ` and ${pages - 1} more ${pages === 2 ? 'file' : 'files'}`;
      const meant = actual === null ? '' : ` (the file is ${shown(actual)})`;
      const found = this.#of(kind);
      if (found.files.length < this.told) found.files.push(`${shown(page)}${others}: ${shown(path)}${meant}`);
      else found.more += 1;
    }
    this.#links.clear();
    return [...this.#kinds].map(([kind, { files, more }]) => [kind, files, more]);
  }
}
