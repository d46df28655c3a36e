import type { LfsSource } from '../lfs/lfs-object.ts';
import type { GitUser } from '../repository/git-host.ts';
import type { RepositoryHost } from '../repository/repository-host.ts';
import type { DoorClient } from './door-client.ts';
import type { Mirrors } from './mirrors.ts';

const NOT_PUSHED = "The repository has no such object. Push it: 'git lfs push --all origin'.";

/** The git host of a process that has no repositories: each thing is asked of the git role that has those of the user. */
export function createRemoteHost(door: DoorClient, mirrors: Mirrors): RepositoryHost {
  return {
    listRepositories: (user) => door.call(user.id, 'list', {}),
    branches: (asked, user) => door.call(user.id, 'branches', asked),
    find: ({ owner, name }, user) => door.call(user.id, 'find', { owner, name }),
    identify: (asked, user) => door.call(user.id, 'identify', asked),
    addTemplate: (user, template) => door.call(user.id, 'addTemplate', { template }),
    // The process that has the repository tells its watcher.
    async remove(user, { owner, name, id }) {
      await door.call(user.id, 'remove', { owner, name, id });
    },
    rename: (user, { owner, name, id }, to) => door.call(user.id, 'rename', { owner, name, id, to }),
    setDefaultBranch: (user, { owner, name, id }, branch) =>
      door.call(user.id, 'setDefaultBranch', { owner, name, id, branch }),
    code: (asked, user) => door.call(user.id, 'code', asked),
    content: (asked, user) => door.call(user.id, 'content', asked),
    async reading(asked, user, work) {
      const { id } = await door.call(user.id, 'identify', asked);
      return mirrors.read(
        id,
        () => door.fetchFrom(user.id, id),
        (gitDir, bring) => work({ gitDir, bring, lfs: remoteObjects(door, user, id) }),
      );
    },
  };
}

/** Files of Git LFS of a repository of a git role, for a build. */
function remoteObjects(door: DoorClient, user: GitUser, repository: string): LfsSource {
  return {
    async *objects(wanted, signal) {
      for (const object of wanted) {
        const asked = { repository, ...object };
        let content = await door.lfsObject(user.id, asked, signal);
        if (content === null) {
          yield { object, found: { cause: NOT_PUSHED } };
          continue;
        }
        /** One object may be at several paths, and is then read as often. */
        async function* read(): AsyncGenerator<Uint8Array> {
          const pieces = content ?? (await door.lfsObject(user.id, asked, signal));
          content = null;
          if (pieces === null) throw new Error('An object of Git LFS has gone while it was read.');
          for await (const piece of pieces) yield piece as Buffer;
        }
        try {
          yield { object, found: { read } };
        } finally {
          content?.destroy();
        }
      }
    },
  };
}
