import type { ErrorCode, RepositoryAddress } from '@cannery/contract';
import { AppError } from '../../errors.ts';
import { GitError } from '../repository/run-git.ts';

interface Explanation {
  /** What git, or the library it fetches with, writes (git 2.39 to 2.53, curl 7.88 to 8.17). */
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly text: (repository: RepositoryAddress) => string;
}

/** In order; the first that fits counts. */
const explanations: readonly Explanation[] = [
  {
    pattern: /couldn't find remote ref/,
    code: 'repository_not_found',
    text: ({ url }) => `The branch does not exist at ${url}.`,
  },
  {
    pattern: /returned error: 30\d|unable to update url base from redirection/,
    code: 'repository_not_found',
    text: ({ url }) =>
      `${url} has moved: the host leads elsewhere. Open it in a browser and use its new address.`,
  },
  {
    pattern:
      /repository '[^\n]*' not found|could not read Username|Authentication failed|terminal prompts disabled|returned error: (?:40[134]|410)/,
    code: 'repository_not_found',
    text: ({ url }) => `There is no repository ${url}, or it is not public.`,
  },
  {
    pattern: /certificate|SSL|TLS/,
    code: 'git_host_unavailable',
    text: ({ host }) => `${host} shows a certificate that this server does not trust.`,
  },
  {
    pattern: /returned error: (?:429|5\d\d)/,
    code: 'git_host_unavailable',
    text: ({ host }) => `${host} refuses to answer at the moment.`,
  },
  {
    pattern:
      /not valid: is this a git repository|does not appear to be a git repository|fsck|index-pack|bad object/,
    code: 'repository_not_found',
    text: ({ url }) => `What is at ${url} is not a git repository, or its content is damaged.`,
  },
];

/**
 * What a failed call of another git host means for the user; errors that are not git's go on as they are.
 * @param note what the way out has to say: it knows best why a host was not reached
 */
export function explainGitError(error: unknown, repository: RepositoryAddress, note?: string): unknown {
  if (!(error instanceof GitError)) return error;
  if (note !== undefined) {
    const code = note.startsWith('More than') ? 'payload_too_large' : 'git_host_unavailable';
    return new AppError(code, note, { cause: error });
  }
  const known = explanations.find(({ pattern }) => pattern.test(error.output));
  if (known !== undefined) return new AppError(known.code, known.text(repository), { cause: error });
  const text = `${repository.host} gives no answer that git can use.`;
  return new AppError('git_host_unavailable', text, { cause: error });
}
