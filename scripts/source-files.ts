import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const generated = /(^|\/)(node_modules|dist|generated|vectors|fixtures)\/|\.d\.ts$/;

/** Paths of the project's own files (tracked or not yet added) whose names match, relative to the project's root. */
export function sourceFiles(pattern: RegExp): string[] {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`);
  return listed.stdout
    .split('\n')
    .filter((file) => pattern.test(file) && !generated.test(file) && existsSync(file))
    .sort();
}

export const isTest = (file: string): boolean =>
  /\.(test|spec|testing)\.tsx?$|(^|\/)(test|e2e|testing)\//.test(file);

/** Module specifiers a TypeScript source imports or re-exports, worker URLs included. */
export function importsOf(source: string): string[] {
  const found: string[] = [];
  const patterns = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
    /new URL\(\s*['"](\.[^'"]+\.[cm]?[jt]sx?)['"]\s*,\s*import\.meta\.url/g,
  ];
  for (const pattern of patterns) for (const match of source.matchAll(pattern)) found.push(match[1] ?? '');
  return found;
}
