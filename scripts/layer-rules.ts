import { readFileSync } from 'node:fs';
import { importsOf, isTest } from './source-files.ts';

/** What code must not do, but for the files that are named: a row of `rules` in layers.json. The table of SECURITY.md says why. */
export interface Rule {
  /** What it does that it must not, and what to do instead. */
  readonly rule: string;
  /** Folders of the code that is bound; `*` is any name. */
  readonly of: readonly string[];
  /** Modules whose import shows it, as an expression. */
  readonly imports?: string;
  /** Texts that show it, as expressions; comments do not count. */
  readonly text?: readonly string[];
  /** Files that may, and why no harm comes of it. */
  readonly may: Readonly<Record<string, string>>;
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');

/** The files among `files` that break a rule, and what rules allow in vain: a line for each. */
export function brokenRules(rules: readonly Rule[], files: readonly string[]): string[] {
  const sources = new Map<string, string>();
  const sourceOf = (file: string): string => {
    const source = sources.get(file) ?? readFileSync(file, 'utf8');
    sources.set(file, source);
    return source;
  };
  return rules.flatMap(({ rule, of, imports, text = [], may }) => {
    const folders = of.map((folder) => new RegExp(`^${folder.replaceAll('*', '[^/]+')}/`));
    const importing = imports === undefined ? undefined : new RegExp(imports);
    const shown = text.map((expression) => new RegExp(expression));
    const doing = files.filter((file) => {
      if (isTest(file) || !folders.some((folder) => folder.test(file))) return false;
      const source = sourceOf(file);
      if (importing !== undefined && importsOf(source).some((one) => importing.test(one))) return true;
      return shown.some((expression) => expression.test(withoutComments(source)));
    });
    return [
      ...doing.filter((file) => !(file in may)).map((file) => `${file}: ${rule}.`),
      ...Object.keys(may)
        .filter((file) => !doing.includes(file))
        .map((file) => `layers.json lets ${file} do in vain what it does not: ${rule}.`),
    ];
  });
}
