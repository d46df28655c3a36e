import type { Api } from '@cannery/dev-env';

/** Uploads a module without the browser and answers its identifier. */
export async function uploadModule(api: Api, bytes: Uint8Array): Promise<string> {
  const { body } = await api.upload('/document/upload', 'wasm', {
    name: 'module.wasm',
    bytes: new Uint8Array(bytes),
  });
  return (body as { identifier: string }).identifier;
}

/** Adds a registry without the browser and answers its id. */
export async function addRegistry(api: Api, name: string, bytes: Uint8Array): Promise<string> {
  const identifier = await uploadModule(api, bytes);
  const { data } = await api.call<{ data: string }>('POST', '/registry/add', { name, identifier });
  return data;
}
