import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBranchName, isObjectId } from './names.ts';
import { runGit } from './run-git.ts';

/** Refs that are read of one repository; the quota of a push is far below. */
const MOST_REFS = 20_000;
/** Bytes of `packed-refs` that are read: as many refs of the longest names we take. */
const PACKED_LIMIT = 8 * 1024 * 1024;
/** `HEAD` is one line: a ref or an object id. */
const HEAD_LIMIT = 1024;
const HEADS = 'refs/heads/';

/** The first bytes of a file, as text; empty when there is no such file. */
async function beginningOf(path: string, limit: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, limit)) });
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** The branch that `HEAD` of a repository names, whether or not it exists; null when it names none. */
export async function headOf(gitDir: string): Promise<string | null> {
  const text = (await beginningOf(join(gitDir, 'HEAD'), HEAD_LIMIT)).trimEnd();
  const mark = `ref: ${HEADS}`;
  const name = text.startsWith(mark) ? text.slice(mark.length) : '';
  return isBranchName(name) ? name : null;
}

/** Bytes of all refs of a repository together; the quota of a push is far below. */
const MOST_REF_BYTES = 64 * 1024 * 1024;

/**
 * All refs of a repository as git gives them: a line each, an object id, a space and the name. Names are bytes, not always UTF-8.
 * @throws GitError
 */
export function refLines(gitDir: string): Promise<Buffer> {
  return runGit(['--git-dir', gitDir, 'for-each-ref', '--format=%(objectname) %(refname)'], {
    maxBytes: MOST_REF_BYTES,
  });
}

/** Bytes of a file with one ref: an object id of SHA-256 and a line feed fit. */
const REF_LIMIT = 128;

/** Id of the newest commit of a branch; null when there is no such branch. */
export async function newestOf(gitDir: string, branch: string): Promise<string | null> {
  if (!isBranchName(branch)) return null;
  const ref = `${HEADS}${branch}`;
  // The loose one first: git packs a ref before it removes the loose file.
  const loose = (await beginningOf(join(gitDir, ref), REF_LIMIT)).trimEnd();
  if (isObjectId(loose)) return loose;
  const packed = await beginningOf(join(gitDir, 'packed-refs'), PACKED_LIMIT);
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`)) ?? '';
  const id = line.slice(0, -ref.length - 1);
  return isObjectId(id) ? id : null;
}

/** Names of all refs of a repository, such as `refs/heads/main`, in no order; at most {@link MOST_REFS}. */
export async function refsOf(gitDir: string): Promise<Set<string>> {
  const found = new Set<string>();
  // Loose ones first: git packs a ref before it removes the loose file, so none is missed.
  await addLoose(gitDir, 'refs', found);
  for (const line of (await beginningOf(join(gitDir, 'packed-refs'), PACKED_LIMIT)).split('\n')) {
    // Lines are '<object id> <ref>'; '#' begins the header, '^' what a tag leads to.
    const space = line.indexOf(' ');
    if (space > 0 && line[0] !== '#' && line[0] !== '^' && found.size < MOST_REFS) {
      found.add(line.slice(space + 1));
    }
  }
  return found;
}

async function addLoose(gitDir: string, folder: string, found: Set<string>): Promise<void> {
  const entries = await readdir(join(gitDir, folder), { withFileTypes: true }).catch((error: unknown) => {
    // A folder of refs goes when its last ref goes.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  });
  for (const entry of entries) {
    if (found.size >= MOST_REFS) return;
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await addLoose(gitDir, name, found);
    else if (entry.isFile() && !entry.name.endsWith('.lock')) found.add(name);
  }
}

/** Branch names, the repository's default branch first, the others by name. Empty while nothing was pushed. */
export async function branchesOf(gitDir: string): Promise<string[]> {
  const [head, refs] = await Promise.all([headOf(gitDir), refsOf(gitDir)]);
  const names = [...refs]
    .filter((ref) => ref.startsWith(HEADS))
    .map((ref) => ref.slice(HEADS.length))
    .filter(isBranchName)
    .sort();
  return [...names.filter((name) => name === head), ...names.filter((name) => name !== head)];
}
