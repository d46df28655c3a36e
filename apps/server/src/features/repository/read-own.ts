import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { idIfThere } from '../../git/repository/repository-id.ts';
import { GitError } from '../../git/repository/run-git.ts';

/** A repository of the user; another one that gets its name has another folder. */
export type OwnRepository = NonNullable<Awaited<ReturnType<AppContext['git']['readable']>>>;

/**
 * Reads something of a repository that may go, or get another in its place, while git works.
 * @param find looks for the repository; null when there is none that the user may read
 * @throws AppError not_found when there is none, or none any more; what `read` throws
 */
export async function readOwn<R extends Pick<OwnRepository, 'gitDir'>, T>(
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

/**
 * A repository with its id, which may go while that is read.
 * @param find looks for the repository; null when there is none that the user may read
 * @throws AppError not_found when there is none, or none any more
 */
export async function identifyOwn<R extends Pick<OwnRepository, 'gitDir'>>(
  find: () => Promise<R | null>,
): Promise<R & { readonly id: string }> {
  const repository = await find();
  const id = repository === null ? null : await idIfThere(repository.gitDir);
  if (repository === null || id === null) throw notFound('Repository');
  return { ...repository, id };
}
