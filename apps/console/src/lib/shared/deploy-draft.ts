import '@tanstack/react-router';
import { isDrafted } from './is-drafted.ts';

/** What the repository choice hands to the create-deploy form, as navigation state. */
export interface DeployDraft {
  readonly repo_name: string;
  readonly owner: string;
  readonly isPublic: boolean;
  readonly url: string;
  /** Set when a starter template was chosen: the form comes filled. */
  readonly name?: string;
  readonly build_command?: string;
  readonly publish_directory?: string;
  /** Id of a starter template of which the repository is yet to be made: by the form, when it is sent. */
  readonly template?: string;
}

declare module '@tanstack/react-router' {
  interface HistoryState extends Partial<DeployDraft> {}
}

/** The draft in a navigation state, or undefined when no repository was chosen. */
export function draftOf(state: Partial<DeployDraft>): DeployDraft | undefined {
  if (!isDrafted(state)) return undefined;
  const { repo_name, owner, isPublic = false, url = '' } = state;
  const { name, build_command, publish_directory, template } = state;
  return { repo_name, owner, isPublic, url, name, build_command, publish_directory, template };
}
