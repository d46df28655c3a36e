import type { SiteWarning } from '@cannery/contract';
import { filesText } from './amount-text.ts';

/** What the site check looks for. */
export const warningKinds = [
  'pointers',
  'links',
  'secrets',
  'letters',
  'broken',
  'redirects',
  'rules',
] as const;

export type WarningKind = (typeof warningKinds)[number];

const TEXTS: Readonly<Record<WarningKind, (count: number) => string>> = {
  pointers: (count) =>
    `${filesText(count)} of the site ${isOrAre(count, 'is a Git LFS pointer', 'are Git LFS pointers')}, a few lines of text about the real content. ` +
    'The log of the checkout says why. Push it with Git LFS, or commit the content itself.',
  links: (count) =>
    `${filesText(count)} of the site ${isOrAre(count, 'is a symbolic link', 'are symbolic links')} of the repository, published as text with a path in it. ` +
    'Commit copies of the files that the links lead to.',
  secrets: (count) =>
    `${isOrAre(count, 'A secret of this deploy is', 'Secrets of this deploy are')} in files of the site, where everybody can read ${isOrAre(count, 'it', 'them')}. ` +
    `Keep ${isOrAre(count, 'it', 'them')} out of what the build writes, and replace ${isOrAre(count, 'it by a new one', 'them by new ones')}.`,
  letters: (count) =>
    `${linksText(count)} to files that are named with other capital or small letters, so that visitors do not get them. ` +
    'Write the links as the files are named.',
  broken: (count) =>
    `${linksText(count)} to addresses where the site has nothing. Correct the links, or publish what they lead to.`,
  redirects: (count) =>
    `${count} ${isOrAre(count, 'line', 'lines')} of _redirects ${isOrAre(count, 'leads', 'lead')} to addresses where the site has nothing. ` +
    'Correct the lines, or publish what they lead to.',
  rules: (count) =>
    `${count} ${isOrAre(count, 'line', 'lines')} of _redirects and _headers ${isOrAre(count, 'has', 'have')} no effect here. ` +
    'Correct them, or leave them out.',
};

function isOrAre(count: number, one: string, several: string): string {
  return count === 1 ? one : several;
}

function linksText(count: number): string {
  return isOrAre(count, '1 link of the site leads', `${count} links of the site lead`);
}

/** The warning about what was found of one kind. */
export function warningOf(kind: WarningKind, files: readonly string[], more: number): SiteWarning {
  return { text: TEXTS[kind](files.length + more), files: [...files], more };
}

/** A warning about no file. */
export function plainWarning(text: string): SiteWarning {
  return { text, files: [], more: 0 };
}

/** The warnings about all sites of a project, which say what site they are about where there are several. */
export function warningsOfSites(
  canisters: readonly {
    readonly name: string | null;
    readonly content:
      | { readonly kind: 'site'; readonly warnings: readonly SiteWarning[] }
      | { readonly kind: 'module' };
  }[],
): SiteWarning[] {
  const sites = canisters.flatMap(({ name, content }) =>
    content.kind === 'site' ? [{ name, warnings: content.warnings }] : [],
  );
  return sites.flatMap(({ name, warnings }) =>
    sites.length === 1 || name === null
      ? warnings
      : warnings.map((one) => ({ ...one, text: `${name}: ${one.text}` })),
  );
}

/** Warnings as lines of a log. */
export function warningLines(warnings: readonly SiteWarning[]): string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.flatMap(({ text, files, more }) => [
    `  ${text}`,
    ...files.map((file) => `    ${file}`),
    ...(more === 0 ? [] : [`    and ${more} more`]),
  ]);
  return ['Warnings of the site check:', ...lines];
}
