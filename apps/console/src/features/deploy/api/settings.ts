import type { BodyInputOf, Deploy, deployEndpoints } from '@cannery/contract';

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
