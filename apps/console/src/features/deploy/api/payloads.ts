import {
  type BodyInputOf,
  type CreateDeployForm,
  DEFAULT_BRANCH,
  type Deploy,
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

/** The fields of the settings form. */
export interface DeploySettings {
  readonly name: string;
  readonly build_command: string;
  readonly publish_directory: string;
}

/** The settings as they are saved. */
export function settingsOf(deploy: Deploy): DeploySettings {
  return {
    name: deploy.name ?? '',
    build_command: deploy.build_command ?? '',
    publish_directory: deploy.publish_directory ?? '',
  };
}

/** The settings as the deploy has them once they are saved: trimmed, build settings for static sites only. */
export function savedSettings(type: string | null, settings: DeploySettings): Partial<DeploySettings> {
  const { name, build_cmd, publish_dir } = settingsPayload(type, settings);
  if (build_cmd === undefined || publish_dir === undefined) return { name };
  return { name, build_command: build_cmd, publish_directory: publish_dir };
}

/** The settings as the update call takes them: trimmed, build settings for static sites only. */
export function settingsPayload(
  type: string | null,
  settings: DeploySettings,
): NonNullable<BodyInputOf<typeof deployEndpoints.update>> {
  const name = settings.name.trim();
  if (type !== 'STATIC_SITE') return { name };
  return {
    name,
    build_cmd: settings.build_command.trim(),
    publish_dir: settings.publish_directory.trim(),
  };
}
