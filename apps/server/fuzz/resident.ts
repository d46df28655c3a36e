import { randomUUID } from 'node:crypto';
import { type Api, createApi, pushFolder, signIn } from '@cannery/dev-env';
import { type Kind, kinds } from '../test/authorisation/filled-calls.ts';
import { pngOf } from '../test/support/pictures.ts';

/** A module like no other: its only section has a name that is made up. */
export function newModule(): Buffer {
  const name = randomUUID();
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  return Buffer.from([...header, 0, name.length + 1, name.length, ...Buffer.from(name)]);
}

type Row = Readonly<Record<string, unknown>>;

/** Beyond these things of a kind no more are remembered: the oldest of a list are asked for as well as any. */
const MOST_OF_KIND = 30;

/** A user of the product who has one of everything, whatever the requests delete. */
export class Resident {
  readonly name: string;
  readonly #url: string;
  readonly #project: string;
  #api: Api;
  #renewal: Promise<void> | undefined;
  /** Things by their kind. */
  #things = new Map<Kind, string[]>();
  #apiToken = '';
  #gitToken = '';
  /** The module that was uploaded last. */
  #module = '';
  #dapp: { id: string; version: string } | undefined;

  private constructor(url: string, name: string, project: string, api: Api) {
    this.#url = url;
    this.name = name;
    this.#project = project;
    this.#api = api;
  }

  /** @param project folder of what the deploys of the user build */
  static async enter(url: string, name: string, project: string): Promise<Resident> {
    const resident = new Resident(url, name, project, createApi(url, await signIn(url, name)));
    await resident.furnish((error) => {
      throw error;
    });
    return resident;
  }

  get token(): string {
    return this.#api.token;
  }

  get apiToken(): string {
    return this.#apiToken;
  }

  get gitToken(): string {
    return this.#gitToken;
  }

  /** Ids of the things of a kind; there may be none at the moment. */
  things(kind: Kind): readonly string[] {
    return this.#things.get(kind) ?? [];
  }

  /** Signs in again when a request has ended the session; several that find out at once wait for one sign-in. */
  async renew(ended: string): Promise<void> {
    if (this.token !== ended) return;
    this.#renewal ??= signIn(this.#url, this.name)
      .then((token) => {
        this.#api = createApi(this.#url, token);
      })
      .finally(() => {
        this.#renewal = undefined;
      });
    await this.#renewal;
  }

  /**
   * Makes what is missing and finds out what there is.
   * @param failed what to do when a step fails, since other requests go on meanwhile: by default to go on with the next one
   */
  async furnish(failed: (error: unknown) => unknown = () => this.renew(this.token)): Promise<void> {
    const found = new Map<Kind, string[]>(kinds.map((kind) => [kind, []]));
    const add = (kind: Kind, ...ids: readonly unknown[]): void => {
      const list = found.get(kind);
      for (const id of ids) if (typeof id === 'string' && list !== undefined) list.unshift(id);
      list?.splice(MOST_OF_KIND);
    };
    const steps = [
      () => this.#addUploads(add),
      () => this.#addCanisters(add),
      () => this.#addModules(add),
      () => this.#addCode(add),
      () => this.#addCredentials(add),
    ];
    for (const step of steps) {
      // A request may have taken away what the step works on, or ended the session.
      await step().catch(failed);
    }
    add('owner', this.name);
    this.#things = found;
  }

  /** How many runs of deploys wait or are under way. */
  async openRuns(): Promise<number> {
    const deploys = await this.#list('/deploy').catch(() => []);
    const runs = await Promise.all(
      deploys.map(({ id }) => this.#list(`/deploy/${String(id)}/instances`).catch(() => [])),
    );
    return runs.flat().filter(({ status }) => status === 'SCHEDULED' || status === 'RUNNING').length;
  }

  async #list(path: string): Promise<Row[]> {
    const answer = await this.#api.call<unknown>('GET', path);
    const rows = Array.isArray(answer) ? answer : Object.values(answer as Row).find(Array.isArray);
    return (rows ?? []) as Row[];
  }

  async #addUploads(add: (kind: Kind, id: unknown) => void): Promise<void> {
    this.#module = await this.#upload('/document/upload', 'wasm', newModule());
    add('document', this.#module);
    add('icon', await this.#upload('/document/upload/icon', 'icon', pngOf(randomUUID())));
  }

  /** @returns the hash of the file */
  async #upload(path: string, field: string, bytes: Buffer): Promise<string> {
    const { body } = await this.#api.upload(path, field, { name: 'a', bytes: Uint8Array.from(bytes) });
    const id = Object.values(body as Row).find((value) => typeof value === 'string' && value.length > 20);
    if (typeof id !== 'string') throw new Error(`An upload was answered by ${JSON.stringify(body)}.`);
    return id;
  }

  async #addCanisters(add: (kind: Kind, id: unknown) => void): Promise<void> {
    const idsOf = async (): Promise<string[]> =>
      (await this.#list('/canister/list/')).map(({ id }) => String(id));
    for (let count = (await idsOf()).length; count < 3; count += 1) {
      const created = await this.#api.call<Row>('POST', '/canister/create', { name: `Made ${randomUUID()}` });
      const canister_id = String((created['data'] as Row)['canister_id']);
      if (count > 0)
        await this.#api.call('POST', '/canister/install', { canister_id, identifier: this.#module });
      if (count === 1) {
        await this.#api.call('POST', '/canister/stop', { canister_id });
        await this.#api.call('POST', '/canister/snapshot/take', { canister_id });
      }
    }
    const ids = await idsOf();
    for (const id of ids) add('canister', id);
    for (const id of ids.slice(0, 6))
      for (const { id: snapshot } of await this.#list(`/canister/snapshots/${id}`)) add('snapshot', snapshot);
  }

  async #addModules(add: (kind: Kind, id: unknown) => void): Promise<void> {
    const identifier = await this.#upload('/document/upload', 'wasm', newModule());
    add('document', identifier);
    const registries = await this.#list('/registry/');
    if (registries.length === 0)
      add(
        'registry',
        (await this.#api.call<Row>('POST', '/registry/add', { name: 'Made', identifier }))['id'],
      );
    for (const { id } of registries) add('registry', id);
    if (
      this.#dapp === undefined ||
      (await this.#api.request('GET', `/marketplace/${this.#dapp.id}`)).status !== 200
    )
      this.#dapp = await this.#offer(identifier);
    add('dapp', this.#dapp.id);
    add('version', this.#dapp.version);
    for (const { id } of await this.#list('/products')) add('product', id);
  }

  async #offer(wasm: unknown): Promise<{ id: string; version: string }> {
    const { data } = await this.#api.call<{ data: string }>('POST', '/marketplace/submit', {
      name: `Made ${randomUUID()}`,
      git_url: 'https://example.org/made/here',
      description: 'Everybody may see this',
      version: '1.0.0',
      wasm,
    });
    return { id: data, version: String((await this.#list(`/marketplace/versions/${data}`))[0]?.['id']) };
  }

  async #addCode(add: (kind: Kind, id: unknown) => void): Promise<void> {
    const owned = async (): Promise<string[]> =>
      (await this.#list('/deploy/repos')).map(({ name }) => String(name));
    if ((await owned()).length === 0) {
      const name = `notes-${randomUUID().slice(0, 8)}`;
      const source = { productUrl: this.#url, api: this.#api, folder: this.#project, owner: this.name, name };
      add('commit', await pushFolder(source));
    }
    const repositories = await owned();
    for (const name of repositories) add('repository', name);
    const deploys = await this.#list('/deploy');
    if (deploys.length === 0) {
      const source = { owner: this.name, repo_name: repositories[0], branch: 'main' };
      const { id } = await this.#api.call<Row>('POST', '/deploy', {
        name: 'Made',
        deploy_type: 'MOTOKO',
        ...source,
      });
      await this.#api.call('POST', `/deploy/${String(id)}/trigger`, {});
      deploys.push({ id });
    }
    for (const { id } of deploys.slice(0, 5)) {
      add('deploy', id);
      for (const run of await this.#list(`/deploy/${String(id)}/instances`)) {
        add('instance', run['id']);
        add('refused', run['id']);
        add('rollback', run['id']);
        if (typeof run['commit_id'] === 'string') add('commit', run['commit_id']);
      }
      add('outside', id);
    }
  }

  async #addCredentials(add: (kind: Kind, id: unknown) => void): Promise<void> {
    const open = await this.#list('/api-tokens');
    if (open.length === 0 || this.#apiToken === '') {
      const scopes = ['deploys:read', 'deploys:run'];
      const made = await this.#api.call<Row>('POST', '/api-tokens', { label: 'made', scopes });
      this.#apiToken = String(made['secret']);
      add('apiToken', made['id']);
    }
    for (const { id } of open) add('apiToken', id);
    const tokens = await this.#list('/repository/tokens');
    if (tokens.length === 0 || this.#gitToken === '') {
      const made = await this.#api.call<Row>('POST', '/repository/tokens', { label: 'made' });
      this.#gitToken = String(made['secret']);
      add('token', made['id']);
    }
    for (const { id } of tokens) add('token', id);
    const sessions = await this.#list('/session');
    if (sessions.length < 2) await signIn(this.#url, this.name);
    for (const { id } of sessions) add('session', id);
  }
}
