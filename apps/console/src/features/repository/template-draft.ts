import type { Repository, Template } from '@cannery/contract';
import type { DeployDraft } from '../../lib/shared/deploy-draft.ts';

/** What the create-deploy form begins with for a repository that was made from a template. */
export function templateDraft({ name, owner, url }: Repository, template: Template): DeployDraft {
  const { build_command, publish_directory } = template;
  return {
    repo_name: name,
    owner: owner.login,
    isPublic: false,
    url,
    name,
    build_command,
    publish_directory,
  };
}
