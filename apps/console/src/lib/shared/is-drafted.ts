import type { DeployDraft } from './deploy-draft.ts';

/** Whether a navigation state names the repository of a deploy that is to be created. A file by itself, since the first load of each page has it. */
export function isDrafted<State extends Partial<DeployDraft>>(
  state: State,
): state is State & Pick<DeployDraft, 'repo_name' | 'owner'> {
  return Boolean(state.repo_name && state.owner);
}
