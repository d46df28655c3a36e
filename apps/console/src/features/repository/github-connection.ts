import { type DeployType, deployTypeOf, githubEndpoints } from '@cannery/contract';
import { api } from '../../lib/api/api.ts';

/** What the browser brings back from GitHub, as its address says it. */
export interface WayBack {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly installation_id?: string | undefined;
}

/** The deploy type in the `state` that the console hands over. */
export function deployTypeIn(state: string | undefined): DeployType {
  try {
    return deployTypeOf((JSON.parse(state ?? '') as { deploy_type?: unknown } | null)?.deploy_type);
  } catch {
    return deployTypeOf(undefined);
  }
}

/** Begins a connection; answers the page of GitHub where it goes on. @throws Error when it is no https address */
export async function beginConnection(deployType: DeployType, way: 'install' | 'authorize'): Promise<string> {
  const { address } = await api.call(githubEndpoints.begin, { body: { deploy_type: deployType, way } });
  if (new URL(address).protocol !== 'https:') throw new Error('The service names no page of GitHub.');
  return address;
}

/** Ends a connection by what the browser brings back. */
export async function finishConnection({ code, state, installation_id: id }: WayBack) {
  const installation = id !== undefined && /^\d{1,15}$/.test(id) ? { installation_id: Number(id) } : {};
  return api.call(githubEndpoints.finish, {
    body: { code: code ?? '', state: state ?? '', ...installation },
  });
}
