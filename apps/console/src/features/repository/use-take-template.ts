import type { Repository, Template } from '@cannery/contract';
import { ApiError, serverText } from '../../lib/api/api-error.ts';
import type { DeployDraft } from '../../lib/shared/deploy-draft.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { useAddTemplate } from './repositories.ts';

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

/** Makes a repository of a template and hands both on; a failure is told. */
export function useTakeTemplate(onReady: (repository: Repository, template: Template) => void) {
  const add = useAddTemplate();
  const take = async (template: Template): Promise<void> => {
    try {
      onReady(await add.mutateAsync(template.id), template);
    } catch (failure) {
      const hint = failure instanceof ApiError ? failure.nextStep : undefined;
      toast.tell('deploy: template not taken', { text: serverText(failure), hint });
    }
  };
  return { take, busyWith: add.isPending ? add.variables : undefined };
}
