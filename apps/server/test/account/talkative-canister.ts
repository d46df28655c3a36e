import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { ApiClient } from '../support/client.ts';

const SOURCE = `import Debug "mo:core/Debug";
persistent actor { public func say(text : Text) : async Text { Debug.print(text); text } }`;

/** Installs, through the console, a canister that logs and answers what it is told; fails the test when refused. */
export async function installTalkative(client: ApiClient, id: string): Promise<void> {
  const identifier = await client.uploadWasm(compileMotoko(SOURCE));
  const { status, body } = await client.post('/canister/install', { canister_id: id, identifier });
  if (status !== 200) throw new Error(`install: ${status} ${body.error}`);
}

/** Calls the canister as an ordinary client of the network does. */
export async function say(networkUrl: string, id: string, text: string): Promise<string> {
  const idl: IDL.InterfaceFactory = () => IDL.Service({ say: IDL.Func([IDL.Text], [IDL.Text], []) });
  const agent = await HttpAgent.create({ host: networkUrl, shouldFetchRootKey: true });
  return Actor.createActor<{ say(text: string): Promise<string> }>(idl, { agent, canisterId: id }).say(text);
}
