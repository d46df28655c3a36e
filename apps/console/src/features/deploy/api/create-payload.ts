import {
  DEFAULT_BRANCH,
  type BodyInputOf,
  type CreateDeployForm,
  type deployEndpoints,
  type DeployType,
  type StartingCycles,
} from '@cannery/contract';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';

/** What the create-deploy form opens with. */
export function initialForm(draft: DeployDraft): CreateDeployForm {
  return {
    name: draft.name ?? '',
    branch: DEFAULT_BRANCH,
    build_cmd: draft.build_command ?? '',
    publish_dir: draft.publish_directory ?? '',
  };
}

/** The branch selected once the branches are known: the first of them, else what was selected. */
export function branchAfterFetch(selected: string, branches: readonly { readonly name: string }[]): string {
  return branches[0]?.name ?? selected;
}

/**
 * The create call's payload; build settings go along for static sites only.
 * @param outsideUrl address of a public repository of another host than the provider's
 * @param starting what canisters start with in place of the usual amount
 */
export function createPayload(
  draft: DeployDraft,
  deployType: DeployType,
  form: CreateDeployForm,
  outsideUrl?: string,
  starting: readonly StartingCycles[] = [],
): NonNullable<BodyInputOf<typeof deployEndpoints.create>> {
  const root = form.root_dir?.trim() ?? '';
  return {
    name: form.name.trim(),
    branch: form.branch,
    owner: draft.owner,
    repo_name: draft.repo_name,
    deploy_type: deployType,
    is_public: draft.isPublic,
    ...(outsideUrl !== undefined && { url: outsideUrl }),
    ...(root !== '' && { root_directory: root }),
    ...(starting.length > 0 && { starting_cycles: [...starting] }),
    ...(deployType === 'STATIC_SITE' && {
      build_command: form.build_cmd,
      publish_directory: form.publish_dir,
    }),
  };
}
