import { expect } from 'vitest';
import type { ApiClient } from './client.ts';

/** Copies the template of a static site for the user 'ada' and makes a deploy of it; answers its path, `/deploy/{id}`. */
export async function deployTemplateSite(ada: ApiClient): Promise<string> {
  expect((await ada.post('/repository/templates/static-site', {})).status).toBe(200);
  const { body } = await ada.post('/deploy', {
    name: 'site',
    branch: 'main',
    owner: 'ada',
    repo_name: 'static-site',
    deploy_type: 'STATIC_SITE',
    build_command: 'node build.mjs',
    publish_directory: 'dist',
  });
  return `/deploy/${body.id}`;
}
