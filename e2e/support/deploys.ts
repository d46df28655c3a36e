import { expect } from '@playwright/test';
import type { Product } from '@cannery/dev-env';
import { type Owner, pushFiles } from './repositories.ts';

interface DeployFields {
  readonly name: string;
  readonly repo_name: string;
  readonly deploy_type: 'STATIC_SITE' | 'MOTOKO' | 'CUSTOM';
  readonly build_command?: string;
  readonly publish_directory?: string;
  /** Page of a public repository of another git host. */
  readonly url?: string;
}

/** Creates a deploy of the owner's own repository without the browser; it does not run yet. */
export async function createDeploy({ name: owner, api }: Owner, fields: DeployFields): Promise<string> {
  const body = { branch: 'main', owner, is_public: false, ...fields };
  return (await api.call<{ id: string }>('POST', '/deploy', body)).id;
}

/** Creates a deploy of a static site, and the repository behind it, both of one name. */
export async function createSite(product: Product, owner: Owner, name: string): Promise<string> {
  await pushFiles(product, owner, name, { 'index.html': `<h1>${name}</h1>` });
  return createDeploy(owner, { name, repo_name: name, deploy_type: 'STATIC_SITE' });
}

/** Runs a deploy without the browser and waits until the run is over; answers the run's status. */
export async function runDeploy({ api }: Owner, id: string): Promise<string> {
  const run = await api.call<{ id: string }>('POST', `/deploy/${id}/trigger`);
  let status = '';
  await expect
    .poll(
      async () => {
        const instance = await api.call<{ status: string }>('GET', `/deploy/${id}/instances/${run.id}`);
        status = instance.status;
        return status;
      },
      { timeout: 90_000 },
    )
    .toMatch(/COMPLETED|FAILED/);
  return status;
}

/** Statuses of a deploy's runs, newest first. */
export async function runsOf({ api }: Owner, id: string): Promise<string[]> {
  const { data } = await api.call<{ data: { status: string; trigger_by: string }[] }>(
    'GET',
    `/deploy/${id}/instances`,
  );
  return data.map(({ status, trigger_by }) => `${trigger_by} ${status}`);
}
