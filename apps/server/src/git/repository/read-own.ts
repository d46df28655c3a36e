import { notFound } from '../../errors.ts';
import type { BareRepository } from './repository-folder.ts';
import { GitError } from './run-git.ts';

/**
 * Reads something of a repository that may go, or get another in its place, while git works.
 * @param find looks for the repository, which has another folder when another one gets its name; null when there is none that the user may read
 * @throws AppError not_found when there is none, or none any more; what `read` throws
 */
export async function readOwn<R extends Pick<BareRepository, 'gitDir'>, T>(
  find: () => Promise<R | null>,
  read: (repository: R) => Promise<T>,
): Promise<T> {
  const repository = await find();
  if (repository === null) throw notFound('Repository');
  try {
    return await read(repository);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const still = await find();
    throw still?.gitDir === repository.gitDir ? error : notFound('Repository');
  }
}
