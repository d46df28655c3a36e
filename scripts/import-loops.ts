import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownImportsOf } from './source-files.ts';

/** Loops of imports among files, types included: of files that import each other in several ways, the loop that is found first. */
export function importLoops(files: readonly string[]): string[][] {
  const all = new Set(files);
  const imports = (file: string): string[] =>
    ownImportsOf(readFileSync(file, 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
      .filter((imported) => all.has(imported));
  const loops: string[][] = [];
  const done = new Set<string>();
  /** Files that are open, from the first to the one that is looked at. */
  const open: string[] = [];
  const visit = (file: string): void => {
    const at = open.indexOf(file);
    if (at >= 0) loops.push(open.slice(at));
    if (at >= 0 || done.has(file)) return;
    open.push(file);
    for (const imported of imports(file)) visit(imported);
    open.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  return loops;
}
