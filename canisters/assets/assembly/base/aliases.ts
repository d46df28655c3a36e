const HTML = '.html';
const INDEX = '/index.html';

export function isHtmlKey(key: string): bool {
  return key.endsWith(HTML);
}

/** The keys that may answer for a path without its own asset, the first one that exists wins. */
export function candidatesOf(path: string): Array<string> {
  if (path.endsWith('/')) return [path + 'index.html'];
  if (isHtmlKey(path)) return [];
  return [path + HTML, path + INDEX];
}

/** The paths that an asset may answer for beside its own: the inverse of `candidatesOf`. */
export function aliasesOf(key: string): Array<string> {
  if (!isHtmlKey(key)) return [];
  const aliases = [key.slice(0, key.length - HTML.length)];
  if (key.endsWith(INDEX)) {
    const folder = key.slice(0, key.length - INDEX.length);
    aliases.push(folder + '/');
    if (folder.length > 0) aliases.push(folder);
  }
  return aliases;
}
