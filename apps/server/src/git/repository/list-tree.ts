import { startProgram } from '../../starter/start-program.ts';
import { GitError, gitArguments, gitEnvironment, gitMemoryBytes } from './run-git.ts';

/** A line of a listing. The path is as git has it: any bytes but NUL. */
export interface ListedEntry {
  readonly mode: string;
  readonly objectId: string;
  /** Bytes; 0 for what is no file. */
  readonly size: number;
  readonly path: Buffer;
}

export const FOLDER_MODE = '040000';
const TIME_LIMIT_MS = 60_000;
/** Bytes of one line; a path of more is cut here. */
const LINE_LIMIT = 64 * 1024;
const TAB = 9;

/**
 * The tree of a commit, folders and files, entry by entry: whoever has seen enough stops, and git stops with it. A
 * tree of a few kB can name more files than a disk holds.
 * @throws GitError when git fails or takes longer than a minute, or the reason of `signal`
 */
export async function* listTree(
  gitDir: string,
  commit: string,
  options: { readonly recursive: boolean; readonly signal?: AbortSignal },
): AsyncGenerator<ListedEntry> {
  const { recursive, signal } = options;
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const depth = recursive ? ['-r', '-t'] : [];
  const args = ['--git-dir', gitDir, 'ls-tree', ...depth, '-l', '-z', '--end-of-options', commit];
  const end = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const git = await startProgram('git', gitArguments(...args), gitEnvironment(), {
    memoryBytes: gitMemoryBytes,
  }).catch((error: unknown) => {
    throw new GitError(`git ls-tree could not be run: ${error instanceof Error ? error.message : error}`);
  });
  end.addEventListener('abort', git.kill, { once: true });
  if (end.aborted) git.kill();
  try {
    for await (const line of recordsOf(git.output)) {
      yield readEntry(line);
    }
    const { code } = await git.ended;
    signal?.throwIfAborted();
    if (limit.aborted) throw new GitError(`git ls-tree took longer than ${TIME_LIMIT_MS / 1000} s`);
    if (code !== 0) throw new GitError(`git ls-tree ended with ${code ?? 'a signal'}`);
  } finally {
    end.removeEventListener('abort', git.kill);
    git.kill();
    git.output.destroy();
  }
}

/** Reads a line of `git ls-tree -l -z`. */
export function readEntry(line: Buffer): ListedEntry {
  const tab = line.indexOf(TAB);
  const [mode = '', , objectId = '', size = '0'] = line.toString('latin1', 0, tab).split(/ +/);
  return { mode, objectId, size: size === '-' ? 0 : Number(size), path: line.subarray(tab + 1) };
}

/** The texts between the NULs of a stream; one without end is given out at a limit. */
async function* recordsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > LINE_LIMIT) {
      yield rest;
      return;
    }
  }
}
