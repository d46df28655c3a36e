import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicConfig } from '@cannery/contract';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { ApiClient } from './client.ts';
import { type Program, startNetworkProgram, startProduct } from './server-process.ts';

/** For tests that start programs several times, on a machine that is busy with others. */
export const LONG_MS = 180_000;

/** A network that runs on its own, and products that are pointed at it; all of it ends with the tests of the file. */
export class ForeignNetwork {
  /** Holds the data of the network and of every product. */
  folder = '';
  /** A new one for each test. */
  dataDir = '';
  #network: Program | undefined;
  #product: Program | undefined;
  #ada: ApiClient | undefined;
  /** Programs of one test. */
  readonly #started: Program[] = [];

  constructor() {
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'cannery-foreign-network-'));
      this.#network = await startNetworkProgram(join(this.folder, 'network'));
    });
    afterAll(async () => {
      await this.#network?.kill('SIGTERM');
      await rm(this.folder, { recursive: true, force: true });
    });
    beforeEach(async () => {
      this.dataDir = await mkdtemp(join(this.folder, 'data-'));
    });
    afterEach(async () => {
      for (const program of this.#started.splice(0)) await program.kill('SIGKILL');
    });
  }

  get url(): string {
    return there(this.#network).url;
  }

  get product(): Program {
    return there(this.#product);
  }

  get ada(): ApiClient {
    return there(this.#ada);
  }

  /** Starts the product of a test. */
  readonly start = async (options: Record<string, string>): Promise<void> => {
    await this.#launch(options);
    this.#ada = await ApiClient.signIn(this.product.url, 'ada');
  };

  /** Starts the product again, on the same data and with the same session. */
  readonly restart = async (options: Record<string, string>): Promise<void> => {
    await this.#launch(options);
    this.#ada = new ApiClient(this.product.url, this.ada.token);
  };

  readonly balance = async () => BigInt(String((await this.ada.get('/getInsights/')).body.balance_exact));
  readonly cyclesOf = async (id: string) =>
    BigInt(String((await this.ada.get(`/canister/status/${id}/?real_time=true`)).body.cycles_exact));
  readonly config = async () => publicConfig.parse((await this.ada.get('/config')).body);
  readonly topUp = (id: string, amount: number) =>
    this.ada.post('/canister/topup', { canister_id: id, amount });

  async #launch(options: Record<string, string>): Promise<void> {
    this.#product = await startProduct({ DATA_DIR: this.dataDir, OPENING_BALANCE_T: '60', ...options });
    this.#started.push(this.#product);
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It has not been started yet.');
  return value;
}
