import { posix } from 'node:path';
import { type LikelyRoot, likeliest } from '../source/likely-roots.ts';

const ENDINGS = ['js', 'mjs', 'ts', 'mts', 'cjs'];
const of = (name: string): string[] => ENDINGS.map((ending) => `${name}.${ending}`);

/** Files that a site generator has in the folder of a site, and nowhere else. */
const GENERATORS: ReadonlySet<string> = new Set([
  ...['astro.config', 'docusaurus.config', 'next.config', 'nuxt.config'].flatMap(of),
  ...['gatsby-config', 'vue.config', '.eleventy', 'eleventy.config'].flatMap(of),
  'angular.json',
]);
/** Libraries have these, too: a site has also one of the pages named here, below the same folder. */
const WITH_A_PAGE: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...of('vite.config').map((name): [string, string[]] => [name, ['index.html']]),
  ...of('svelte.config').map((name): [string, string[]] => [name, ['src/app.html']]),
  ['package.json', ['public/index.html', 'src/index.html']],
]);
const VITEPRESS: ReadonlySet<string> = new Set(of('config'));
/** Deeper ones are pages of something else. */
const DEEPEST_PAGE = 2;

/** How the names of all these files end, for a list of files. */
export const SITE_ENDINGS: readonly string[] = [
  ...GENERATORS,
  ...WITH_A_PAGE.keys(),
  ...of('.vitepress/config'),
  'index.html',
  'src/app.html',
];

/**
 * Folders that a site can be built in or lies in, by the names of files alone; generators come before pages.
 * @param paths of files of a repository
 * @returns none where the repository itself is one
 */
export function siteRoots(paths: readonly string[]): LikelyRoot[] {
  const known = new Set(paths);
  const built: LikelyRoot[] = [];
  const pages: LikelyRoot[] = [];
  for (const path of paths) {
    const file = posix.basename(path);
    const parent = posix.dirname(path);
    const folder = parent === '.' ? '' : parent;
    const ofSite = WITH_A_PAGE.get(file) ?? [];
    if (GENERATORS.has(file) || ofSite.some((page) => known.has(posix.join(folder, page))))
      built.push({ folder, file });
    else if (VITEPRESS.has(file) && posix.basename(folder) === '.vitepress')
      built.push({ folder: posix.dirname(folder), file: `.vitepress/${file}` });
    else if (file === 'index.html' && folder.split('/').length <= DEEPEST_PAGE) pages.push({ folder, file });
  }
  if ([...built, ...pages].some(({ folder }) => folder === '' || folder === '.')) return [];
  const generated = likeliest(built);
  return generated.length > 0 ? generated : likeliest(pages);
}
