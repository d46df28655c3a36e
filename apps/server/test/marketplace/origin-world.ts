import type { CanisterAnswer, CanisterSnapshot, DappInstance } from '@cannery/contract';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { HttpAgent } from '@icp-sdk/core/agent';
import { expect } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { RunningServer } from '../../src/start-server.ts';
import type { ApiClient } from '../support/client.ts';

/** Calls that put code into canisters and tell what is written down of it. */
export class OriginWorld {
  readonly #server: RunningServer;
  readonly #other = Ed25519KeyIdentity.generate();

  constructor(server: RunningServer) {
    this.#server = server;
  }

  async ok(client: ApiClient, path: string, body: object, headers = {}): Promise<Record<string, unknown>> {
    const answer = await client.post(path, body, headers);
    expect(answer.status, `${path}: ${answer.body.error}`).toBe(200);
    return answer.body;
  }

  /** @param from the header Code-Origin */
  install(client: ApiClient, canister: string, identifier: string, from?: string, mode = 'install') {
    const headers = from === undefined ? {} : { 'code-origin': from };
    return this.ok(client, '/canister/install', { canister_id: canister, identifier, mode }, headers);
  }

  async submit(client: ApiClient, name: string, wasm: string): Promise<string> {
    const texts = { git_url: 'https://example.org/a/b', description: 'A dapp', version: '1.0.0' };
    return String((await this.ok(client, '/marketplace/submit', { name, wasm, ...texts })).data);
  }

  async update(client: ApiClient, dapp: string, wasm: string, version = '2.0.0'): Promise<void> {
    await this.ok(client, `/marketplace/update/${dapp}`, { wasm, version, notes: 'Security fix' });
  }

  async instance(client: ApiClient, canister: string): Promise<DappInstance | undefined> {
    const all = (await client.list('/marketplace/instances')) as unknown as DappInstance[];
    return all.find(({ canister_id: id }) => id === canister);
  }

  /** What is written down of a canister, after the network was asked for its state. */
  async origin(client: ApiClient, canister: string): Promise<NonNullable<CanisterAnswer['origin']>> {
    const { body } = await client.get(`/canister/status/${canister}/?real_time=true`);
    const { origin } = body as unknown as CanisterAnswer;
    if (origin === null) throw new Error('The canister has no origin.');
    return origin;
  }

  /** Kind, version and whether others have changed the code. */
  async told(client: ApiClient, canister: string): Promise<string> {
    const { kind, version, changed_outside: isChanged } = await this.origin(client, canister);
    return [kind, version, isChanged ? 'changed' : null].filter((text) => text !== null).join(' ');
  }

  async snapshot(client: ApiClient, canister: string): Promise<string> {
    await client.post('/canister/stop', { canister_id: canister });
    return String((await this.ok(client, '/canister/snapshot/take', { canister_id: canister })).id);
  }

  restore(client: ApiClient, canister: string, snapshot: string) {
    return this.ok(client, '/canister/snapshot/restore', { canister_id: canister, snapshot_id: snapshot });
  }

  /** Makes somebody who is not the console a controller, and answers what that person can do. */
  async outside(client: ApiClient, canister: string) {
    const { body } = await client.get(`/canister/details/${canister}`);
    const controllers = [String(body.console_principal), this.#other.getPrincipal().toText()];
    await this.ok(client, '/canister/settings', { canister_id: canister, settings: { controllers } });
    const icUrl = this.#server.networkUrl;
    const ic = createIcClient({ icUrl, identity: this.#other });
    const agent = await HttpAgent.create({ host: icUrl, identity: this.#other, shouldFetchRootKey: true });
    const canisterId = Principal.fromText(canister);
    return {
      async put(wasm: Uint8Array, mode: 'install' | 'reinstall' | 'upgrade' = 'reinstall') {
        const request = { canisterId: canister, wasm, arg: new Uint8Array(), mode };
        expect((await ic.submit(await ic.signInstall(request))).status).toBe('replied');
      },
      async uninstall() {
        const named = IDL.Record({ canister_id: IDL.Principal });
        const arg = IDL.encode([named], [{ canister_id: canisterId }]);
        await agent.update('aaaaa-aa', {
          methodName: 'uninstall_code',
          arg,
          effectiveCanisterId: canisterId,
        });
      },
      takeSnapshot: async (): Promise<string> => (await ic.snapshots.take(canister)).id,
    };
  }

  async snapshots(client: ApiClient, canister: string): Promise<CanisterSnapshot[]> {
    return (await client.list(`/canister/snapshots/${canister}`)) as unknown as CanisterSnapshot[];
  }
}
