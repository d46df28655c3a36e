import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeployAnswer, DeployInstanceAnswer } from '@cannery/contract';
import {
  type Api,
  createApi,
  type Product,
  type ProductOptions,
  pushFolder,
  signIn,
  startProduct,
} from '@cannery/dev-env';
import { putEmptyDatabase } from './empty-database.ts';

const RUN_LIMIT_MS = 120_000;

/** A user who deploys repositories of her own, at a product that runs. */
export interface DeployWork {
  readonly product: Pick<Product, 'url' | 'networkUrl'>;
  readonly ada: Api;
  /** A temporary folder of this client. */
  readonly folder: string;
  /** Pushes files as the newest commit of a repository. */
  push(name: string, files: Record<string, string>): Promise<void>;
  /** Pushes a folder as the newest commit of a repository. */
  pushFolder(name: string, folder: string, message: string): Promise<void>;
  create(name: string, type: string, settings?: Record<string, string>): Promise<string>;
  trigger(id: string): Promise<string>;
  instance(id: string, instanceId: string): Promise<DeployInstanceAnswer>;
  /** Polls a run to its end; answers it with the statuses seen on the way. */
  finished(id: string, instanceId: string): Promise<DeployInstanceAnswer & { seen: string[] }>;
  run(id: string): Promise<DeployInstanceAnswer & { seen: string[] }>;
  /** A page of the deploy's canister, through the network's gateway. */
  page(id: string, path?: string): Promise<{ status: number; text: string; type: string | null }>;
}

/** The same with a product that was started for it. */
export interface DeployClient extends DeployWork {
  readonly product: Product;
  dispose(): Promise<void>;
}

/** Uploads a module; answers its identifier. */
export async function uploadModule(api: Api, bytes: Uint8Array): Promise<string> {
  const { body } = await api.upload('/document/upload', 'wasm', {
    name: 'module.wasm',
    bytes: Uint8Array.from(bytes),
  });
  return (body as { identifier: string }).identifier;
}

export async function startDeployClient(options: ProductOptions = {}): Promise<DeployClient> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-deploys-'));
  const dataDir = options.dataDir ?? mkdtempSync(join(folder, 'data-'));
  putEmptyDatabase(dataDir);
  const product = await startProduct({ ...options, dataDir });
  return {
    ...(await workAt(product, folder)),
    product,
    async dispose() {
      await product.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Signs ada in at a product that runs. */
export async function workAt(product: DeployWork['product'], folder: string): Promise<DeployWork> {
  const ada = createApi(product.url, await signIn(product.url, 'ada'));
  const client: DeployWork = {
    product,
    ada,
    folder,
    async push(name, files) {
      const source = mkdtempSync(join(folder, `${name}-`));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(source, path, '..'), { recursive: true });
        writeFileSync(join(source, path), text);
      }
      await client.pushFolder(name, source, `Import ${name}`);
    },
    async pushFolder(name, source, message) {
      await pushFolder({ productUrl: product.url, api: ada, folder: source, owner: 'ada', name, message });
    },
    async create(name, type, settings = {}) {
      const body = {
        name,
        branch: 'main',
        owner: 'ada',
        repo_name: name,
        deploy_type: type,
        is_public: false,
      };
      return (await ada.call<{ id: string }>('POST', '/deploy', { ...body, ...settings })).id;
    },
    trigger: async (id) => (await ada.call<{ id: string }>('POST', `/deploy/${id}/trigger`, {})).id,
    instance: (id, instanceId) => ada.call('GET', `/deploy/${id}/instances/${instanceId}`),
    async finished(id, instanceId) {
      const seen: string[] = [];
      for (const end = Date.now() + RUN_LIMIT_MS; Date.now() < end; await delay(100)) {
        const instance = await client.instance(id, instanceId);
        if (seen.at(-1) !== instance.status) seen.push(instance.status);
        if (instance.status === 'COMPLETED' || instance.status === 'FAILED') return { ...instance, seen };
      }
      throw new Error(`The run did not end: ${seen.join(', ')}`);
    },
    run: async (id) => client.finished(id, await client.trigger(id)),
    async page(id, path = '/') {
      const { canisters } = await ada.call<DeployAnswer>('GET', `/deploy/${id}`);
      const answer = await fetch(`${product.networkUrl}${path}?canisterId=${canisters[0]}`);
      return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
    },
  };
  return client;
}
