const HTML = '.html';
const INDEX = '/index.html';
/** How the address of a folder's page ends where somebody writes the name of the file. */
const INDEX_NAME = '/index';

export function isHtmlKey(key: string): bool {
  return key.endsWith(HTML);
}

/** The keys that may answer for a path without its own asset, the first one that exists wins. */
export function candidatesOf(path: string): Array<string> {
  if (path.endsWith('/')) {
    const folder = [path + 'index.html'];
    return path.length > 1 ? folder.concat([path.slice(0, path.length - 1) + HTML]) : folder;
  }
  if (isHtmlKey(path)) return [];
  if (!path.endsWith(INDEX_NAME)) return [path + HTML, path + INDEX];
  const folder = path.slice(0, path.length - INDEX_NAME.length);
  const keys = [path + HTML];
  if (folder.length > 0) keys.push(folder + HTML);
  keys.push(path + INDEX);
  return keys;
}

/** The paths that an asset may answer for beside its own: the inverse of `candidatesOf`. */
export function aliasesOf(key: string): Array<string> {
  if (!isHtmlKey(key)) return [];
  const name = key.slice(0, key.length - HTML.length);
  const aliases = [name, name + '/', name + INDEX_NAME];
  if (key.endsWith(INDEX)) {
    const folder = key.slice(0, key.length - INDEX.length);
    aliases.push(folder + '/');
    if (folder.length > 0) aliases.push(folder);
  }
  return aliases;
}

/**
 * The one address of a page, to which its other aliases lead: `/about` for `/about.html`, `/guide/` for
 * `/guide/index.html`, so that relative links in it hold (docs/routing.md of dfinity/certified-assets).
 */
export function addressOf(key: string): string {
  if (key.endsWith(INDEX)) return key.slice(0, key.length - 'index.html'.length);
  return isHtmlKey(key) ? key.slice(0, key.length - HTML.length) : key;
}
