import type { CanisterBalances } from '@cannery/contract';
import type { Api } from '@cannery/dev-env';

/** Two modules that the network takes and that do nothing, told apart by their hashes. */
const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
export const emptyModule = Buffer.from(header);
export const otherModule = Buffer.from([...header, 0, 2, 1, 120]);

export const wasmFile = (buffer: Buffer) => ({ name: 'module.wasm', mimeType: 'application/wasm', buffer });

/** Creates a canister without the browser and answers its id. */
export async function createCanister(api: Api, name: string): Promise<string> {
  const { data } = await api.call<{ data: { canister_id: string } }>('POST', '/canister/create', { name });
  return data.canister_id;
}

export const topUp = (api: Api, id: string, amount: number) =>
  api.call('POST', '/canister/topup', { canister_id: id, amount });

/** How many readings of a canister's balance the console has kept; those within five seconds are one. */
export async function readingsOf(api: Api, id: string): Promise<number> {
  return (await api.call<CanisterBalances>('GET', `/canister/balances/${id}`)).samples.length;
}

export const stop = (api: Api, id: string) => api.call('POST', '/canister/stop', { canister_id: id });
export const start = (api: Api, id: string) => api.call('POST', '/canister/start', { canister_id: id });

/** How a module is installed: in an empty canister, from a file and without arguments unless told otherwise. */
interface Installation {
  readonly mode?: 'install' | 'reinstall';
  /** What it is taken from, as the header Code-Origin has it. */
  readonly from?: string;
  /** Candid text of the install arguments. */
  readonly argument?: string;
}

/** Installs a module without the browser. */
export async function installModule(
  api: Api,
  id: string,
  bytes: Buffer,
  { mode = 'install', from, argument }: Installation = {},
): Promise<void> {
  const { body } = await api.upload('/document/upload', 'wasm', {
    name: 'module.wasm',
    bytes: new Uint8Array(bytes),
  });
  const { identifier } = body as { identifier: string };
  const headers = from === undefined ? undefined : { 'code-origin': from };
  const request = { canister_id: id, identifier, mode, argument };
  const answer = await api.request('POST', '/canister/install', request, headers);
  if (answer.status !== 200) throw new Error(`Not installed: ${JSON.stringify(answer.body)}`);
}
