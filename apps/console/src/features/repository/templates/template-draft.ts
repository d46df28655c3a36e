import type { Template } from '@cannery/contract';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';

/**
 * What the create-deploy form begins with for a starter template. There is no repository yet: the form makes one when it is sent, and its
 * name may then be another, where this one is taken.
 */
export function templateDraft(template: Template, owner: string): DeployDraft {
  const { id, build_command, publish_directory } = template;
  return {
    repo_name: id,
    owner,
    isPublic: false,
    url: '',
    name: id,
    build_command,
    publish_directory,
    template: id,
  };
}
