import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { newModule } from './matrix-world.ts';

/** A repository that no other call needs. */
export async function freshRepository(client: ApiClient): Promise<{ repository: string }> {
  const { body } = await client.post('/repository/templates/static-site', {});
  return { repository: String(body.name) };
}

/** A canister that answers HTTP. */
export async function freshSite(client: ApiClient): Promise<{ canister: string }> {
  const canister = await client.create('Answers HTTP');
  const identifier = await client.uploadWasm(
    moduleOf({ exports: ['canister_query http_request'], after: [custom(randomUUID())] }),
  );
  const installed = await client.post('/canister/install', { canister_id: canister, identifier });
  expect(installed.status).toBe(200);
  return { canister };
}

/** A canister of a user with a new dapp of its publisher. */
export async function instanceOf(
  publisher: ApiClient,
  user: ApiClient,
): Promise<{ canister: string; dapp: string }> {
  const wasm = await publisher.uploadWasm(newModule());
  const texts = { git_url: 'https://example.org/upgraded', description: 'To be upgraded' };
  const submission = { name: 'Upgraded', version: '1.0.0', wasm, ...texts };
  const submitted = await publisher.post('/marketplace/submit', submission);
  const dapp = String(submitted.body.data);
  const canister = await user.create('With a dapp');
  const from = { 'code-origin': `dapp ${dapp}` };
  const installed = await user.post('/canister/install', { canister_id: canister, identifier: wasm }, from);
  expect([submitted.status, installed.status]).toEqual([200, 200]);
  return { canister, dapp };
}

/** A canister with a dapp of which there is a newer version since; the document is that. */
export async function freshInstance(client: ApiClient): Promise<{ canister: string; document: string }> {
  const { canister, dapp } = await instanceOf(client, client);
  const document = await client.uploadWasm(newModule());
  const updated = await client.post(`/marketplace/update/${dapp}`, { wasm: document, version: '1.1.0' });
  expect(updated.status).toBe(200);
  return { canister, document };
}
