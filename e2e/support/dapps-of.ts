import { randomUUID } from 'node:crypto';
import type { Api } from '@cannery/dev-env';
import { emptyModule } from './canisters-of.ts';

/** A module like no other that does nothing: its only section has a name that is made up. */
export function uniqueModule(): Buffer {
  const name = randomUUID();
  return Buffer.concat([emptyModule, Buffer.from([0, name.length + 1, name.length]), Buffer.from(name)]);
}

/** Puts a dapp into the marketplace without the browser and answers its id. */
export async function submitDapp(
  api: Api,
  fields: Readonly<Record<string, unknown>>,
  wasm: Buffer,
): Promise<string> {
  const { data } = await api.call<{ data: string }>('POST', '/marketplace/submit', {
    git_url: 'https://example.org/ada/dapp',
    description: 'A dapp',
    version: '1.0.0',
    ...fields,
    wasm: await uploadWasm(api, wasm),
  });
  return data;
}

/** Gives a dapp its next version without the browser. */
export async function updateDapp(api: Api, id: string, version: string, wasm: Buffer): Promise<void> {
  await api.call('POST', `/marketplace/update/${id}`, { version, wasm: await uploadWasm(api, wasm) });
}

/** Uploads a module without the browser and answers its identifier. */
async function uploadWasm(api: Api, wasm: Buffer): Promise<string> {
  const { body } = await api.upload('/document/upload', 'wasm', {
    name: 'module.wasm',
    bytes: new Uint8Array(wasm),
  });
  return (body as { identifier: string }).identifier;
}
