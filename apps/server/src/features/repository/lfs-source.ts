import { readRepositoryAddress } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { LfsSource } from '../../git/lfs/lfs-object.ts';
import { storedObjects } from '../../git/lfs/lfs-store.ts';
import type { CloneSource } from '../../git/repository/git-host.ts';
import type { RepositoryPlace } from './repository-place.ts';

/**
 * Where a build gets files of Git LFS from: the repository's own folder here, or the host of a public repository. Of a repository in an account
 * at GitHub it gets what everybody gets.
 * @param source what the build is checked out from
 * @param folder where none is yet, for what is under way
 */
export function lfsObjectsAt(
  ctx: Pick<AppContext, 'outsideGit' | 'github'>,
  place: RepositoryPlace,
  source: CloneSource,
  folder: string,
): LfsSource {
  if (place.kind === 'own') return source.lfs ?? storedObjects(source.gitDir);
  if (place.kind === 'outside') return ctx.outsideGit.lfsObjects(place.repository, folder);
  const address = readRepositoryAddress(`${ctx.github?.url}/${place.owner}/${place.name}`);
  return 'fault' in address ? nowhere(address.fault) : ctx.outsideGit.lfsObjects(address, folder);
}

function nowhere(cause: string): LfsSource {
  return {
    async *objects(wanted) {
      for (const object of wanted) yield { object, found: { cause } };
    },
  };
}
