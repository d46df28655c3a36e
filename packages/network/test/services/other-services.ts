import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import { PatientTime, SubnetTime } from '@cannery/replica/clock';
import { startEngine } from '@cannery/replica/engine/host';
import type { Engine } from '@cannery/replica/messages';
import type { Principal } from '@icp-sdk/core/principal';
import { readServices } from '../../src/services/chosen-services.ts';
import { installServices } from '../../src/services/install-services.ts';
import { type ServiceCanister, serviceCanisters } from '../../src/services/system-canisters.ts';
import { serveNetwork } from '../../src/serve-network.ts';

const CUSTOM_SECTION = 0;

/** A custom section without meaning, of less than 128 bytes: it changes the hash of a module and nothing that it does. */
function markSection(mark: string): Uint8Array {
  const name = Buffer.from('cannery-test');
  const content = Buffer.concat([Buffer.from([name.length]), name, Buffer.from(mark)]);
  return Buffer.concat([Buffer.from([CUSTOM_SECTION, content.length]), content]);
}

/** The module in other bytes, written to a file of `folder`: what a later version of this program could bring. */
export async function laterModule(service: string, mark: string, folder: string): Promise<string> {
  const kept = await readFile(rowOf(service).canister.module);
  const wasm = kept[0] === 0x1f ? gunzipSync(kept) : kept;
  const file = join(folder, `${service}-${mark}.wasm`);
  await writeFile(file, Buffer.concat([wasm, markSection(mark)]));
  return file;
}

function rowOf(service: string): ServiceCanister {
  const row = serviceCanisters.find((each) => each.service === service);
  if (!row) throw new RangeError(`There is no service ${service}.`);
  return row;
}

/** The services as a version of this program has them that brings another module of one of them. */
export async function laterServices(
  service: string,
  file: string,
  upgradeArg = rowOf(service).canister.upgradeArg(),
): Promise<readonly ServiceCanister[]> {
  const row = rowOf(service);
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const later: ServiceCanister = {
    ...row,
    canister: {
      ...row.canister,
      module: pathToFileURL(file),
      versions: [...row.canister.versions, hash],
      upgradeArg: () => upgradeArg,
    },
  };
  return serviceCanisters.map((each) => (each === row ? later : each));
}

/** When a start is killed: before the call of a method is sent, or once it is on disk, and maybe under way. */
export interface Death {
  readonly method: string;
  readonly moment: 'before' | 'after';
}

interface ServicesOptions {
  readonly dataDir: string;
  readonly services: string;
  readonly canisters?: readonly ServiceCanister[];
  readonly death?: Death;
}

interface ServedServices extends AsyncDisposable {
  readonly url: string;
  /** `running`, `stopping` or `stopped`, and the SHA-256 of the module in hexadecimal. */
  look(id: Principal): Promise<{ readonly status: string | undefined; readonly module: string }>;
}

/** A network in this process that brings along these system canisters. */
export async function startServices({
  dataDir,
  services,
  canisters,
  death,
}: ServicesOptions): Promise<ServedServices> {
  const keys = await loadOrCreateKeys(dataDir);
  const { rootKey: rootKeyDer, subnetId } = keys;
  const time = new SubnetTime();
  const now = (): bigint => time.now();
  const engine = await startEngine({ dataDir, rootKeyDer, subnetId, time: time.buffer, fees: 'free' });
  if (death) dieAt(engine, death);
  const patient = new PatientTime(time, now());
  const believedNow = (): bigint => patient.now();
  const machineNow = (): bigint => time.machine();
  const server = await serveNetwork(
    { engine, keys, isLoopback: true, now, machineNow, believedNow },
    {
      host: '127.0.0.1',
      port: 0,
      prepare: (network) =>
        installServices(network, readServices(services), { subnetId, provisional: 'anyone' }, canisters),
    },
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    async look(id) {
      const [found] = (await engine.survey([id.toUint8Array()])).canisters;
      return { status: found?.status, module: Buffer.from(found?.moduleHash ?? []).toString('hex') };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await engine.close();
    },
  };
}

/** Ends this process by SIGKILL at the first call of a method. */
function dieAt(engine: Engine, { method, moment }: Death): void {
  const submit = engine.submit.bind(engine);
  const die = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  engine.submit = async (message) => {
    const isDue = message.method === method;
    if (isDue && moment === 'before') die();
    const admission = await submit(message);
    if (isDue) die();
    return admission;
  };
}
