import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@icp-sdk/core/principal';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROOM_LIMITS } from '../http/transport/room.ts';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';
import { connect, deploy, management } from '../../test/agent.ts';
import { wat } from '../../../wasm/test/text-format.ts';
import { UNANSWERING_WAT } from '../../test/canisters/unanswering-canister.ts';
import { ADMISSION } from './visitors/admission.ts';

let dataDir: string;
let network: LocalNetwork;
let agent: Awaited<ReturnType<typeof connect>>;
let canister: Principal;
const requests: ClientRequest[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-busy-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  agent = await connect(network.url, Ed25519KeyIdentity.generate());
});

afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  await management(agent).uninstall_code({ canister_id: canister });
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

/** Visits the canister so often, with a body; answers come into the list that is returned. */
async function visits(count: number, body: Uint8Array): Promise<IncomingMessage[]> {
  canister = await deploy(agent, wat(UNANSWERING_WAT));
  const host = `${canister}.localhost:${network.port}`;
  const answers: IncomingMessage[] = [];
  for (let made = 0; made < count; made += 1) {
    const request = httpRequest({
      host: '127.0.0.1',
      port: network.port,
      method: body.length > 0 ? 'POST' : 'GET',
      agent: false,
      headers: { host, accept: 'text/plain', 'content-length': body.length },
    });
    requests.push(request);
    request.on('error', () => undefined).on('response', (response) => answers.push(response.resume()));
    request.end(body);
  }
  return answers;
}

const refusals = (answers: readonly IncomingMessage[]): unknown[] =>
  answers.map(({ statusCode, headers }) => [statusCode, headers['retry-after'], headers.connection]);
const status = async (): Promise<number> => (await fetch(`${network.url}/api/v2/status`)).status;

test('bodies of visits that wait for a canister count for their address; what is too much is refused, or takes the place of the oldest', {
  timeout: 60_000,
}, async () => {
  const length = 1_900_000;
  const most = Math.floor(ROOM_LIMITS.bodies.ofOne / length);
  const answers = await visits(most + 4, new Uint8Array(length));
  const stillOpen = (): number => requests.filter(({ destroyed }) => !destroyed).length - answers.length;
  await expect.poll(stillOpen, { timeout: 30_000 }).toBeLessThanOrEqual(most);
  expect(stillOpen()).toBeGreaterThan(0);
  for (const refusal of refusals(answers)) expect(refusal).toEqual([503, '2', 'close']);
  expect(await status()).toBe(200);
});

test('update calls of one address that a canister never answers are bounded; the next visits are told to come again', {
  timeout: 60_000,
}, async () => {
  const answers = await visits(ADMISSION.updates.address + 5, new Uint8Array());
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(5);
  for (const [code, retry] of refusals(answers) as [number, string][])
    expect([code, retry]).toEqual([503, '2']);
  expect(await status()).toBe(200);
});
