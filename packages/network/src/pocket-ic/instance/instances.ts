import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badRequest, notFound } from '../../http/transport/request-error.ts';
import type { Json } from '../wire/json.ts';
import type { InstanceRequest } from '../wire/instance-request.ts';
import { Instance } from './instance.ts';
import { Operations } from './operations.ts';

/** File of a kept folder that says which subnets its canisters were made on. */
const TOPOLOGY_FILE = 'subnets.json';

/** Instances at a time: each has a thread, and some 20 MB of memory. */
const MOST_INSTANCES = 1_000;

interface Running extends AsyncDisposable {
  readonly instance: Instance;
  readonly operations: Operations<Json>;
  readonly gateways: Set<number>;
}

interface RunningGateway extends AsyncDisposable {
  readonly port: number;
  readonly instanceId: number;
}

/** All instances of the program, by their numbers, and what serves them to agents and browsers. */
export class Instances implements AsyncDisposable {
  readonly #stateDir: string | undefined;
  readonly #running: (Running | undefined)[] = [];
  readonly #gateways: (RunningGateway | undefined)[] = [];
  /** Names of kept folders that are in use. */
  readonly #folders = new Set<string>();
  /** Folder of the states that go with their instances. */
  #temporary: Promise<string> | undefined;
  /** Instances that are being started. */
  readonly #starting = new Set<Promise<number>>();
  #isClosing = false;

  /** @param stateDir folder below which states are kept that a client gives a name; none are kept where not given */
  constructor(stateDir: string | undefined) {
    this.#stateDir = stateDir;
  }

  /** For each number whether its instance is there. */
  get list(): readonly boolean[] {
    return this.#running.map((each) => each !== undefined);
  }

  /** Gateways that are open. */
  get gateways(): readonly { readonly id: number; readonly port: number; readonly instanceId: number }[] {
    return this.#gateways.flatMap((each, id) =>
      each ? [{ id, port: each.port, instanceId: each.instanceId }] : [],
    );
  }

  async create(request: InstanceRequest): Promise<number> {
    if (this.#isClosing) throw badRequest('The program is being ended.');
    if (this.list.filter(Boolean).length + this.#starting.size >= MOST_INSTANCES)
      throw badRequest(`There can be ${MOST_INSTANCES} instances at a time.`);
    const started = this.#start(request);
    this.#starting.add(started);
    try {
      return await started;
    } finally {
      this.#starting.delete(started);
    }
  }

  async #start(request: InstanceRequest): Promise<number> {
    await using resources = new AsyncDisposableStack();
    const dataDir = await this.#folderFor(request, resources);
    const instance = resources.use(await Instance.start(dataDir, request));
    if (request.features.size > 0) {
      const { installFeatures } = await import('./features.ts');
      await installFeatures(instance, request.features);
    }
    if (request.isLive) await instance.setLive(true);
    const operations = new Operations<Json>();
    const running = resources.move();
    const id = this.#running.push({
      instance,
      operations,
      gateways: new Set(),
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    });
    return id - 1;
  }

  /** Throws `RequestError` 404. */
  find(id: number): Running {
    const running = this.#running[id];
    if (!running) throw notFound(`There is no instance ${id}.`);
    return running;
  }

  /** The instance with this root key (DER). */
  withRootKey(key: Uint8Array): Instance | undefined {
    return this.#running.find((each) => each && Buffer.compare(each.instance.keys.rootKey, key) === 0)
      ?.instance;
  }

  /** All operations of all instances, for clients that come back for a result. */
  *operations(): Iterable<Operations<Json>> {
    for (const each of this.#running) if (each) yield each.operations;
  }

  /** Ends an instance with its gateways, and deletes its state unless it is kept. */
  async delete(id: number): Promise<void> {
    const running = this.find(id);
    this.#running[id] = undefined;
    for (const gateway of running.gateways) await this.closeGateway(gateway);
    await running[Symbol.asyncDispose]();
  }

  /** Opens a gateway to an instance. Rejects with `AddressInUseError`. */
  async openGateway(
    instanceId: number,
    port: number,
  ): Promise<{ readonly id: number; readonly port: number }> {
    const { instance, gateways } = this.find(instanceId);
    const gateway = await instance.openGateway(port);
    if (this.#running[instanceId]?.instance !== instance) {
      await gateway[Symbol.asyncDispose]();
      throw notFound(`There is no instance ${instanceId} any more.`);
    }
    const id =
      this.#gateways.push({
        port: gateway.port,
        instanceId,
        [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
      }) - 1;
    gateways.add(id);
    return { id, port: gateway.port };
  }

  async closeGateway(id: number): Promise<void> {
    const gateway = this.#gateways[id];
    if (!gateway) return;
    this.#gateways[id] = undefined;
    this.#running[gateway.instanceId]?.gateways.delete(id);
    await gateway[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    // One that has just been started has a folder and a thread as well.
    await Promise.allSettled(this.#starting);
    for (const [id, each] of this.#running.entries()) if (each) await this.delete(id);
    if (this.#temporary) await rm(await this.#temporary, { recursive: true, force: true });
  }

  /** The folder of a new instance; of what a client sends, only a checked name gets into its path. */
  async #folderFor({ folder, topology }: InstanceRequest, resources: AsyncDisposableStack): Promise<string> {
    if (folder === undefined) {
      this.#temporary ??= mkdtemp(join(tmpdir(), 'cannery-pocket-ic-'));
      const dataDir = await mkdtemp(join(await this.#temporary, 'instance-'));
      resources.defer(() => rm(dataDir, { recursive: true, force: true }));
      return dataDir;
    }
    if (this.#stateDir === undefined)
      throw badRequest('No state is kept: the program was started without --state-dir.');
    if (this.#folders.has(folder)) throw badRequest(`Another instance has the state ${folder}.`);
    this.#folders.add(folder);
    resources.defer(() => void this.#folders.delete(folder));
    const dataDir = join(this.#stateDir, folder);
    await mkdir(dataDir, { recursive: true });
    await checkTopology(
      join(dataDir, TOPOLOGY_FILE),
      topology.subnets.map(({ kind }) => kind),
    );
    return dataDir;
  }
}

/** Canister IDs say on which subnet they are, so that a state goes with the subnets it was made with. */
async function checkTopology(file: string, kinds: readonly string[]): Promise<void> {
  const wanted = JSON.stringify(kinds);
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known === undefined) await writeFile(file, wanted, { flag: 'wx' });
  else if (known !== wanted) throw badRequest(`This state was made with the subnets ${known}.`);
}
