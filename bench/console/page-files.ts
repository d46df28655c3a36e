import { gzipSync } from 'node:zlib';
import { type ConsoleBuild, moduleName } from './console-build.ts';

const GZIP_LEVEL = 9;

/** Names of files of the build. */
export type FileNames = ReadonlySet<string>;

/**
 * The scripts and style sheets that modules need, with all that they import.
 * @param modules by name; an HTML page is one
 * @throws Error for a module that the build does not have
 */
export function filesOf({ files }: ConsoleBuild, modules: readonly string[]): FileNames {
  const all = new Set<string>();
  const add = (name: string): void => {
    const file = files.get(name);
    if (file?.type !== 'chunk' || all.has(name)) return;
    all.add(name);
    for (const sheet of file.viteMetadata?.importedCss ?? []) all.add(sheet);
    for (const imported of file.imports) add(imported);
  };
  for (const module of modules) {
    const file = [...files.values()].find(
      (each) => each.type === 'chunk' && each.moduleIds.some((id) => moduleName(id) === module),
    );
    if (!file) throw new Error(`${module} is in no file of the console.`);
    add(file.fileName);
  }
  return all;
}

/** What a browser fetches for files, in bytes. */
export function weigh({ files }: ConsoleBuild, names: FileNames): { raw: number; gzipped: number } {
  const contents = [...names].map((name) => {
    const file = files.get(name);
    return Buffer.from(file?.type === 'chunk' ? file.code : (file?.source ?? ''));
  });
  return {
    raw: contents.reduce((sum, { length }) => sum + length, 0),
    gzipped: contents.reduce((sum, each) => sum + gzipSync(each, { level: GZIP_LEVEL }).length, 0),
  };
}

/** The modules in files that stand apart, with their bytes before they are minified; the largest first. */
export function apartIn(
  { files, apart }: ConsoleBuild,
  names: FileNames,
): { readonly module: string; readonly bytes: number }[] {
  return [...names]
    .flatMap((name) => {
      const file = files.get(name);
      return file?.type === 'chunk' ? Object.entries(file.modules) : [];
    })
    .flatMap(([id, { renderedLength }]) =>
      apart.has(id) && renderedLength > 0 ? [{ module: moduleName(id), bytes: renderedLength }] : [],
    )
    .toSorted((a, b) => b.bytes - a.bytes);
}
