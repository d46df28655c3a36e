// No product code opens a path below a folder that a tenant shapes (decision 0074). Such a folder has a type without a path;
// this check keeps it so (server-paths.json): which files may ask where such a folder is, which may speak of the folder of
// all of them, and, in code that works for tenants, which may open files at all, with what they open.
import { readFileSync } from 'node:fs';
import { importsOf, isTest, sourceFiles } from './source-files.ts';

interface ServerPaths {
  /** Folders of code that works for tenants. */
  readonly folders: readonly string[];
  /** Files that may know where a tenant's folder is on disk: what mounts it for the sandbox. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Files that may speak of the folder in which those of all tenants are. */
  readonly names: Readonly<Record<string, string>>;
  /** Files that may open paths, and which. */
  readonly files: Readonly<Record<string, string>>;
}

const { folders, mounts, names, files } = JSON.parse(
  readFileSync('server-paths.json', 'utf8'),
) as ServerPaths;
const DISK_OF = 'tenant/disk-of.ts';
/** Modules of Node, and of others, that open paths. */
const OPENERS = /^(?:node:)?fs(?:\/promises)?$|^(?:fs-extra|graceful-fs|rimraf|glob|tar)$/;
/** The folder of all tenants, by the name of its setting or of itself. */
const ALL_TENANTS = /\btenantsFolder\b|['"`/]tenants['"`/]/;

const problems: string[] = [];
const seen = { mounts: new Set<string>(), names: new Set<string>(), files: new Set<string>() };
for (const file of sourceFiles(/\.tsx?$/)) {
  if (isTest(file) || !file.startsWith('apps/server/src/')) continue;
  const text = readFileSync(file, 'utf8');
  const imports = importsOf(text);
  if (imports.some((one) => `/${one}`.endsWith('/disk-of.ts')) && !file.endsWith(DISK_OF)) {
    seen.mounts.add(file);
    if (mounts[file] === undefined)
      problems.push(`${file}: only what mounts a folder of a tenant may ask where it is on disk.`);
  }
  if (ALL_TENANTS.test(text)) {
    seen.names.add(file);
    if (names[file] === undefined) problems.push(`${file}: speaks of the folder of all tenants.`);
  }
  const isOpening =
    imports.some((one) => OPENERS.test(one)) || /\bprocess\.binding\b|\brequire\(['"](?:node:)?fs/.test(text);
  if (isOpening && folders.some((folder) => file.startsWith(`${folder}/`))) {
    seen.files.add(file);
    if (files[file] === undefined)
      problems.push(
        `${file}: opens paths. A tenant's files are read through TenantFolder; for others, say in server-paths.json which.`,
      );
  }
}
for (const list of ['mounts', 'names', 'files'] as const) {
  for (const file of Object.keys({ mounts, names, files }[list]))
    if (!seen[list].has(file))
      problems.push(`server-paths.json lists ${file} under ${list}, which needs no place there.`);
}

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
