import { once } from 'node:events';
import type { Socket } from 'node:net';
import { startProgram } from '../../starter/start-program.ts';

/** git ended with an error, ran too long or gave too much output. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** What git wrote on its error output, cut to a readable length. */
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }
}

export interface GitOptions {
  /** Bytes for standard input. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  /** Wall-clock limit in milliseconds. */
  timeoutMs?: number;
  /** Most bytes of standard output. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/**
 * Settings of every git we run: nothing of the machine's or a user's configuration counts, no hook and no filter of a
 * repository runs, and no protocol but the one asked for is spoken.
 */
const HARDENED = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.symlinks=false',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.protectNTFS=true',
  '-c',
  'core.protectHFS=true',
  '-c',
  'protocol.file.allow=never',
  '-c',
  'http.followRedirects=false',
  '-c',
  'submodule.recurse=false',
  '-c',
  'gc.auto=0',
  '-c',
  'safe.directory=*',
  '-c',
  'advice.detachedHead=false',
  '-c',
  'init.defaultBranch=main',
  '-c',
  // read-refs.ts reads the files.
  'init.defaultRefFormat=files',
  // What a repository says of its sizes is a stranger's word: larger files are read in pieces, and what is kept in memory
  // meanwhile has bounds. A program that asks for more than `gitMemoryBytes` all the same ends.
  '-c',
  'core.bigFileThreshold=8m',
  '-c',
  'core.deltaBaseCacheLimit=16m',
  '-c',
  'core.packedGitWindowSize=4m',
  '-c',
  'core.packedGitLimit=64m',
  '-c',
  'pack.threads=1',
  '-c',
  'pack.windowMemory=32m',
  '-c',
  'pack.deltaCacheSize=16m',
];

/**
 * Most bytes of memory that one program of git may ask for (RLIMIT_DATA). Two versions of a file of 100 MB fit, of which
 * the second is pushed as a difference: git makes it in memory, whatever the settings above say.
 */
export const gitMemoryBytes = 256 * 1024 ** 2;

const ERROR_OUTPUT_LIMIT = 4_000;

/** The environment of every git we run: nothing is inherited but the search path. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    // None: a folder that others may write to would give git their attributes.
    HOME: '/dev/null',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ATTR_NOSYSTEM: '1',
    // Whoever pushes `refs/replace/` would have us read another object under the id that is recorded and shown.
    GIT_NO_REPLACE_OBJECTS: '1',
    ...extra,
  };
}

/** The arguments that come before the subcommand of every git we run. */
export function gitArguments(...rest: string[]): string[] {
  return [...HARDENED, ...rest];
}

/**
 * Runs git and answers its output. User text is only ever passed after `--` or as a validated ref.
 * @throws GitError when git fails, runs longer than the limit or gives more than `maxBytes`.
 */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { timeoutMs = 60_000, maxBytes = 16 * 1024 * 1024 } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const end = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
  end.throwIfAborted();
  const command = `git ${args.find((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith('-')) ?? ''}`;
  const couldNot = (reason: string, error: unknown): GitError =>
    new GitError(`${command} ${reason}: ${error instanceof Error ? error.message : error}`);
  const git = await startProgram('git', gitArguments(...args), gitEnvironment(options.env), {
    withInput: options.input !== undefined,
    withErrors: true,
    memoryBytes: gitMemoryBytes,
  }).catch((error: unknown) => {
    throw couldNot('could not be run', error);
  });
  end.addEventListener('abort', git.kill, { once: true });
  // It may have fired while git was started.
  if (end.aborted) git.kill();
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = '';
  const read = [
    reading(git.output, (chunk) => {
      size += chunk.length;
      if (size > maxBytes) git.kill();
      else chunks.push(chunk);
    }),
    reading(git.errors, (chunk) => {
      if (errors.length < ERROR_OUTPUT_LIMIT) errors += chunk.toString();
    }),
  ];
  git.input?.end(options.input);
  try {
    const { code } = await git.ended;
    await Promise.all(read);
    end.throwIfAborted();
    if (size > maxBytes) throw new GitError(`${command} gave more than ${maxBytes} bytes`);
    if (code !== 0)
      throw new GitError(`${command} ended with ${code ?? 'a signal'}`, errors.slice(0, ERROR_OUTPUT_LIMIT));
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw couldNot(limit.aborted ? `took longer than ${timeoutMs / 1000} s` : 'was ended', error);
  } finally {
    end.removeEventListener('abort', git.kill);
  }
  return Buffer.concat(chunks);
}

/** Takes what comes until the stream ends or breaks. */
async function reading(stream: Socket | null, take: (chunk: Buffer) => void): Promise<void> {
  if (stream === null) return;
  stream.on('data', take);
  await once(stream, 'close').catch(() => undefined);
}

/** Like {@link runGit}, for output that is text. */
export async function gitText(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await runGit(args, options)).toString('utf8');
}

/** Whether git can be run at all. */
export async function hasGit(): Promise<boolean> {
  return gitText(['version']).then(
    (text) => text.startsWith('git version'),
    () => false,
  );
}
