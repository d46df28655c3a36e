import type { NewDeploy } from '../../src/features/deploy/store/store.ts';

/** A deploy as a test inserts it that is about something else; no repository has its id. */
export function anyDeploy(userId: string, more: Partial<NewDeploy> = {}): NewDeploy {
  const elsewhere = { repo_url: null, github_repository_id: null };
  return {
    userId,
    name: 'x',
    type: 'MOTOKO',
    branch: 'main',
    repository: { repo_owner: 'x', repo_name: 'x', repository_id: 'x', ...elsewhere },
    isPublic: false,
    settings: {},
    ...more,
  };
}
