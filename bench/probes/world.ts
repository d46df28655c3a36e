import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Api,
  createApi,
  processes,
  type Product,
  pushFolder,
  signIn,
  startProduct,
} from '@cannery/dev-env';
import type { HttpAgent } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { encode } from 'cborg';
import { connect, deploy } from '../../packages/network/test/agent.ts';
import { ScriptedCanister } from '../../packages/network/test/canisters/scripted-canister.ts';
import { wat } from '../../packages/wasm/test/text-format.ts';
import { BareServer } from './bare.ts';
import { COUNTER_WAT } from './canisters.ts';
import type { WatchedCall } from './watched-client.ts';

/** A running product with what the attacks need, and what they must not disturb. */
export interface World extends AsyncDisposable {
  readonly product: Product;
  /** A server of Node without anything of ours. */
  readonly bare: BareServer;
  readonly ports: { readonly server: number; readonly network: number };
  readonly pids: { readonly server: number; readonly network: number };
  /** Sockets of the processes that tell the delays of their event loops. */
  readonly folder: string;
  /** The user to whom the repository and the run belong. */
  readonly eve: Api;
  /** The user who attacks: another one from attack to attack, since what a user may send in a minute is bounded. */
  readonly attacker: Api;
  /** A password for the git host, and a repository of eve. */
  readonly gitPassword: string;
  /** A run of eve whose log has 100,000 lines. */
  readonly run: { readonly id: string; readonly instanceId: string };
  /** Calls of somebody else. */
  readonly calls: readonly WatchedCall[];
  /** A canister of eve that answers what it is told. */
  readonly scripted: ScriptedCanister;
  /** The attacker's key at the network. */
  readonly agent: HttpAgent;
  readonly counter: Principal;
}

const RUN_MILLIS = 180_000;

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-probes-'));
  const watch = new URL('./loop-watch.ts', import.meta.url).href;
  const env = {
    NODE_OPTIONS: `--import=${watch}`,
    PROBE_FOLDER: folder,
    SITE_PICTURES: 'off',
    RUST_TOOLCHAIN: 'off',
    // There are many users, at one address.
    SIGN_IN_LIMIT: '60',
  };
  const product = await startProduct({ env });
  const bare = await BareServer.start(folder, env);
  const dispose = async (): Promise<void> => {
    await product.dispose();
    await bare[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const eve = createApi(product.url, await signIn(product.url, 'eve'));
    const ada = createApi(product.url, await signIn(product.url, 'ada'));
    const agent = await connect(product.networkUrl, Ed25519KeyIdentity.generate());
    const counter = await deploy(agent, wat(COUNTER_WAT));
    const { secret: gitPassword } = await eve.call<{ secret: string }>('POST', '/repository/tokens', {
      label: 'x',
    });
    const ports = { server: portOf(product.url), network: portOf(product.networkUrl) };
    return {
      product,
      bare,
      ports,
      pids: pidsOf(),
      folder,
      eve,
      attacker: eve,
      gitPassword,
      run: await longRun(product, eve, folder),
      calls: callsOf(ports, ada.token, counter),
      scripted: await ScriptedCanister.deploy(agent),
      agent,
      counter,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Somebody whom the product does not know yet; waits while it takes no more sign-ins. */
export async function newUser(productUrl: string): Promise<Api> {
  for (;;) {
    try {
      return createApi(productUrl, await signIn(productUrl, `eve-${crypto.randomUUID().slice(0, 8)}`));
    } catch (error) {
      if (!String(error).includes('429')) throw error;
      await delay(2_000);
    }
  }
}

const portOf = (url: string): number => Number(new URL(url).port);

/** The server is a child of this process, and the network one of the server. */
function pidsOf(): { server: number; network: number } {
  const all = processes();
  const network = all.find(
    ({ parent, command }) =>
      command.includes('--exit-with-parent') &&
      all.some(({ id, parent: above }) => id === parent && above === process.pid),
  );
  if (network === undefined) throw new Error('The network of the product is not among the processes.');
  return { server: network.parent, network: network.id };
}

/** A run of a site whose build prints much. */
async function longRun(
  product: Product,
  api: Api,
  folder: string,
): Promise<{ id: string; instanceId: string }> {
  const source = mkdtempSync(join(folder, 'site-'));
  writeFileSync(join(source, 'index.html'), 'site');
  await pushFolder({ productUrl: product.url, api, folder: source, owner: 'eve', name: 'site' });
  const { id } = await api.call<{ id: string }>('POST', '/deploy', {
    name: 'site',
    branch: 'main',
    owner: 'eve',
    repo_name: 'site',
    deploy_type: 'STATIC_SITE',
    build_command: 'seq -f "line %.0f of a log that is long enough to be worth reading" 90000',
  });
  const { id: instanceId } = await api.call<{ id: string }>('POST', `/deploy/${id}/trigger`, {});
  for (const end = Date.now() + RUN_MILLIS; Date.now() < end; await delay(500)) {
    const { status } = await api.call<{ status: string }>('GET', `/deploy/${id}/instances/${instanceId}`);
    if (status === 'COMPLETED') return { id, instanceId };
    if (status === 'FAILED') throw new Error('The run of the site has failed.');
  }
  throw new Error('The run of the site did not end.');
}

/** Between two calls of a kind, in milliseconds. */
const [OFTEN, NOW_AND_THEN] = [15, 150];

function callsOf(
  { server, network }: { server: number; network: number },
  token: string,
  counter: Principal,
): WatchedCall[] {
  const query = encode({
    content: {
      request_type: 'query',
      canister_id: counter.toUint8Array(),
      method_name: 'get',
      arg: new Uint8Array(),
      // An anonymous query does not expire.
      sender: Uint8Array.of(4),
      ingress_expiry: BigInt(Date.now() + 240_000) * 1_000_000n,
    },
  });
  const plain = { method: 'GET', headers: {}, everyMillis: OFTEN } as const;
  return [
    { ...plain, name: 'health of the server', port: server, path: '/api/health' },
    { ...plain, name: 'status of the network', port: network, path: '/api/v2/status' },
    {
      name: 'query',
      port: network,
      method: 'POST',
      path: `/api/v3/canister/${counter}/query`,
      headers: { 'content-type': 'application/cbor' },
      body: Buffer.from(query).toString('base64'),
      everyMillis: OFTEN,
    },
    {
      ...plain,
      name: 'call of a user',
      port: server,
      path: '/api/user/profile',
      headers: { authorization: `Bearer ${token}` },
      everyMillis: NOW_AND_THEN,
    },
  ];
}
