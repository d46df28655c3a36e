import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { type ApiQueryResponse, Cbor } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NetworkClock } from '../../network/network-time.ts';
import { createIcClient } from '../create-ic-client.ts';
import { MANAGEMENT_ID } from '../management/funding.ts';
import type { IcClient } from '../ic-client.ts';
import { encodeArg } from '../management/management-idl.ts';
import { BoundaryNodes } from './boundary-nodes.ts';
import { isGood, QueryAgent } from './query-agent.ts';

/** An answer as it is on the wire; the agent itself adds the id of the request. */
type Answer = { signatures: { timestamp: bigint; signature: Uint8Array; identity: Uint8Array }[] } & Record<
  string,
  unknown
>;

const CYCLES = 3_000_000_000_000n;
const identity = Ed25519KeyIdentity.generate();
let dataDir: string;
let network: LocalNetwork;
/** Between the client and the network; what it does to answers of queries. */
let middle: Server;
let change: (answer: Answer) => void;
let queries: number;
let url: string;
let client: IcClient;
let canisterId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'query-agent-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  middle = createServer(async (request, response) => {
    const body = request.method === 'POST' ? Buffer.concat(await request.toArray()) : undefined;
    const answer = await fetch(new URL(request.url ?? '/', network.url), {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/cbor' },
      ...(body === undefined ? {} : { body }),
    });
    let bytes = Buffer.from(await answer.arrayBuffer());
    if (request.url?.endsWith('/query') === true) {
      queries += 1;
      const said = Cbor.decode<Answer>(bytes);
      change(said);
      bytes = Buffer.from(Cbor.encode(said));
    }
    response.writeHead(answer.status, { 'content-type': 'application/cbor' }).end(bytes);
  });
  await new Promise<void>((resolve) => middle.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(middle.address() as AddressInfo).port}`;
  client = createIcClient({ icUrl: url, identity });
  canisterId = await client.createCanister({ cyclesAmount: CYCLES });
});

afterAll(async () => {
  middle.closeAllConnections();
  middle.close();
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(() => {
  change = () => {};
  queries = 0;
});

const ask = () => client.status(canisterId, { fast: true });

test('an answer that the node has signed is taken as it is', async () => {
  expect((await ask()).cycles).toBe(CYCLES);
  expect(queries).toBe(1);
});

/** The only signature of an answer. */
function signatureOf(answer: Answer): Answer['signatures'][number] {
  const [signature] = answer.signatures;
  if (signature === undefined) throw new Error('The network has not signed its answer.');
  return signature;
}

const forgeries: Readonly<Record<string, (answer: Answer) => void>> = {
  'with another reply': (answer) => {
    const { arg } = answer.reply as { arg: Uint8Array };
    answer.reply = { arg: arg.map((byte, index) => (index === arg.length - 1 ? byte ^ 1 : byte)) };
  },
  'with another signature': (answer) => {
    const signature = signatureOf(answer);
    signature.signature = signature.signature.map((byte, index) => (index === 3 ? byte ^ 1 : byte));
  },
  'with another time': (answer) => {
    signatureOf(answer).timestamp += 1n;
  },
  'of a node that the subnet does not have': (answer) => {
    signatureOf(answer).identity = identity.getPrincipal().toUint8Array();
  },
  'that nobody has signed': (answer) => {
    answer.signatures = [];
  },
  'that says the same node twice': (answer) => {
    answer.signatures.push(signatureOf(answer));
  },
  'that is made a refusal': (answer) => {
    delete answer.reply;
    Object.assign(answer, { status: 'rejected', reject_code: 4, reject_message: 'no', error_code: 'IC0000' });
  },
};

test.each(Object.entries(forgeries))('an answer %s is believed by nobody', async (_, forge) => {
  change = forge;
  await expect(ask()).rejects.toThrow();
  expect(queries).toBeGreaterThan(1);
});

test('one that is forged once is asked for again', async () => {
  change = (answer) => {
    if (queries === 1) forgeries['with another reply']?.(answer);
  };
  expect((await ask()).cycles).toBe(CYCLES);
  expect(queries).toBe(2);
});

test('what is refused by the network is signed, too', async () => {
  await expect(client.query(canisterId, 'absent', new Uint8Array())).rejects.toMatchObject({
    code: 'network_rejected',
  });
  expect(queries).toBe(1);
});

test('what was signed long ago counts for nothing', async () => {
  const time = new NetworkClock({ isRight: true });
  const agent = new QueryAgent({ host: url, identity }, time, new BoundaryNodes([url]));
  await agent.fetchRootKey();
  const target = { canisterId: Principal.fromText(canisterId) };
  const answer: ApiQueryResponse = await agent.query(MANAGEMENT_ID, {
    methodName: 'canister_status',
    arg: encodeArg('canister_status', { canister_id: target.canisterId }),
    effectiveTarget: target,
  });
  const keys = await agent.fetchSubnetKeys(target);
  const minutes = 60_000;
  expect(isGood(answer, keys, Date.now())).toBe(true);
  expect(isGood(answer, keys, Date.now() + 4 * minutes)).toBe(true);
  expect(isGood(answer, keys, Date.now() + 6 * minutes)).toBe(false);
});
