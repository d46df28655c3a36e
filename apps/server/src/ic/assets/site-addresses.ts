const HTML = '.html';
const INDEX = '/index.html';

/** The keys that may answer for a path, as the asset canister has them (canisters/assets/assembly/base/aliases.ts). */
function candidatesOf(path: string): string[] {
  if (path.endsWith('/'))
    return path === '/' ? ['/index.html'] : [`${path}index.html`, path.slice(0, -1) + HTML];
  if (path.endsWith(HTML)) return [];
  if (!path.endsWith('/index')) return [path + HTML, path + INDEX];
  const folder = path.slice(0, -'/index'.length);
  return [path + HTML, ...(folder === '' ? [] : [folder + HTML]), path + INDEX];
}

/** The address of a page, to which its other aliases lead: `/about` for `/about.html`, `/guide/` for `/guide/index.html`. */
function addressOf(key: string): string {
  if (key.endsWith(INDEX)) return key.slice(0, -'index.html'.length);
  return key.endsWith(HTML) ? key.slice(0, -HTML.length) : key;
}

/** What a site answers at which address without any rule. */
export class SiteAddresses {
  readonly #hasAliases: ReadonlyMap<string, boolean>;

  /** @param files of the site by their keys, with whether other addresses lead to them */
  constructor(files: ReadonlyMap<string, boolean>) {
    this.#hasAliases = files;
  }

  /** The key of the file that answers for a path; undefined without one. */
  keyOf(path: string): string | undefined {
    if (this.#hasAliases.has(path)) return path;
    return candidatesOf(path).find((key) => this.#hasAliases.get(key) === true);
  }

  has(key: string): boolean {
    return this.#hasAliases.has(key);
  }

  /** The addresses at which visitors see a file: its key, and those of a page. */
  addressesOf(key: string): string[] {
    const address = this.#hasAliases.get(key) === true ? addressOf(key) : key;
    return address === key ? [key] : [key, address];
  }

  /** All addresses that a redirect may lead to. */
  *all(): Generator<string> {
    for (const key of this.#hasAliases.keys()) {
      const addresses = this.addressesOf(key);
      yield* addresses;
      const folder = addresses[1];
      if (folder?.endsWith('/') === true && folder !== '/') yield folder.slice(0, -1);
    }
  }
}
