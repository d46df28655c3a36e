import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { ApiClient } from '../../test/support/client.ts';
import { moduleOf } from '../findings.ts';
import { Journal, type Outcome } from './journal.ts';

const SMALL_MODULE = 2_000;
const PUSH_PATIENCE_MS = 90_000;

/** Things that are made, named again and deleted through the same three calls. */
interface Kind {
  readonly name: string;
  make(citizen: Citizen, name: string): Promise<Outcome>;
  idOf(body: Readonly<Record<string, unknown>>): string;
  rename?(citizen: Citizen, id: string, name: string): Promise<Outcome>;
  remove(citizen: Citizen, id: string): Promise<Outcome>;
}

/** How many of a kind one user keeps; beyond that one is deleted for each that is made. */
const MOST_KEPT = 4;

/** One user who makes all kinds of changes, one after the other, each through whichever api answers, and keeps a journal. */
export class Citizen {
  readonly journal = new Journal();
  readonly user: string;
  readonly api: ApiClient;
  /** SHA-256 of each upload that was acknowledged. */
  readonly uploads: string[] = [];
  /** Text of the page of each commit that was made. */
  readonly pages = new Map<string, string>();
  /** Repositories that were named again: one of the two names exists. */
  readonly renamed: (readonly [string, string])[] = [];
  readonly sessions: string[] = [];
  /** Runs that were begun, by their deploy. */
  readonly runs: (readonly [string, string])[] = [];
  canister = '';
  readonly #url: string;
  readonly #folder: string;
  readonly #random: () => number;
  readonly #kept = new Map<string, string[]>();
  #secret = '';
  #tag = '';
  #hasCode = false;

  private constructor(options: {
    url: string;
    token: string;
    user: string;
    folder: string;
    random: () => number;
  }) {
    this.user = options.user;
    this.api = new ApiClient(options.url, options.token);
    this.#url = options.url;
    this.#folder = join(options.folder, options.user);
    this.#random = options.random;
  }

  static async enter(url: string, options: { user: string; folder: string; random: () => number }) {
    const { token } = await ApiClient.signIn(url, options.user);
    const citizen = new Citizen({ ...options, url, token });
    await citizen.#settleIn();
    return citizen;
  }

  async #settleIn(): Promise<void> {
    const { body } = await this.api.post('/repository/tokens', { label: 'git' });
    this.#secret = String(body['secret']);
    await mkdir(this.#folder, { recursive: true });
    await git(['init', '-q', '-b', 'main'], this.#folder);
    this.canister = await this.api.create('worked on');
    for (const [what, value] of Object.entries({ name: 'worked on', tags: '', status: 'running', code: '' }))
      this.journal.begin(`its ${what}`, value);
    this.journal.begin('branch main', '');
    await this.#push();
    await this.#makeDeploy();
  }

  /** Makes one change of any sort. */
  async step(): Promise<void> {
    const chore = this.#chores[Math.floor(this.#random() * this.#chores.length)];
    await chore?.();
  }

  /** Makes one change of each sort. */
  async eachOnce(): Promise<void> {
    for (const chore of this.#chores) await chore();
  }

  readonly #chores: readonly (() => Promise<void>)[] = [
    () => this.#rename(),
    () => this.#retag(),
    () => this.#install(),
    () => this.#changeSettings(),
    () => this.#restartCanister(),
    () => this.#snapshot(),
    () => this.#push(),
    () => this.#push(),
    () => this.#trigger(),
    () => this.#trigger(),
    () => this.#rollBack(),
    () => this.#renameRepository(),
    () => this.#session(),
    ...KINDS.map((kind) => () => this.#keepKind(kind)),
  ];

  async upload(): Promise<string | undefined> {
    const wasm = moduleOf(SMALL_MODULE);
    const hash = createHash('sha256').update(wasm).digest('hex');
    const outcome = await this.journal.ask('upload', () => this.api.upload('/document/upload', 'wasm', wasm));
    if (outcome.sort !== 'done') return undefined;
    this.uploads.push(hash);
    return hash;
  }

  async #rename(): Promise<void> {
    const name = `named ${randomUUID()}`;
    const body = { canister_id: this.canister, name };
    const outcome = await this.journal.ask('rename', () => this.api.post('/canister/rename', body));
    this.journal.change('its name', name, outcome);
  }

  async #retag(): Promise<void> {
    const tag = randomUUID().slice(0, 8);
    const remove_tags = this.#tag === '' ? [] : [this.#tag];
    const body = { canister_id: this.canister, add_tags: [tag], remove_tags };
    const outcome = await this.journal.ask('tags', () => this.api.post('/canister/tags', body));
    this.journal.change('its tags', tag, outcome);
    if (outcome.sort === 'unknown') {
      // What it has now decides which tag goes next.
      const read = await this.journal.ask('read', () => this.api.get(`/canister/status/${this.canister}`));
      if (read.sort !== 'done') return;
      const [now = ''] = read.body['tags'] as string[];
      this.journal.hold('its tags', now);
      this.journal.begin('its tags', now);
      this.#tag = now;
    } else if (outcome.sort === 'done') this.#tag = tag;
  }

  async #install(): Promise<void> {
    const hash = await this.upload();
    if (hash === undefined) return;
    const body = {
      canister_id: this.canister,
      identifier: hash,
      mode: this.#hasCode ? 'reinstall' : 'install',
    };
    const key = { 'idempotency-key': randomUUID() };
    const outcome = await this.journal.ask('install', () => this.api.post('/canister/install', body, key));
    this.journal.change('its code', hash, outcome);
    if (outcome.sort === 'done') this.#hasCode = true;
    else if (outcome.sort === 'unknown') this.#hasCode ||= await this.#isFilled();
  }

  async #isFilled(): Promise<boolean> {
    const path = `/canister/status/${this.canister}?real_time=true`;
    const read = await this.journal.ask('read', () => this.api.get(path));
    return read.sort === 'done' && typeof read.body['module_hash'] === 'string';
  }

  async #changeSettings(): Promise<void> {
    const value = String(2_000_000 + Math.floor(this.#random() * 500_000));
    const body = { canister_id: this.canister, settings: { freezing_threshold: value } };
    const outcome = await this.journal.ask('settings', () => this.api.post('/canister/settings', body));
    this.journal.change('its freezing', value, outcome);
  }

  async #restartCanister(): Promise<void> {
    const body = { canister_id: this.canister };
    for (const [call, status] of [
      ['stop', 'stopped'],
      ['start', 'running'],
    ] as const) {
      const outcome = await this.journal.ask(call, () => this.api.post(`/canister/${call}`, body));
      this.journal.change('its status', status, outcome);
    }
  }

  async #snapshot(): Promise<void> {
    const kept = this.#kept.get('snapshot') ?? [];
    this.#kept.set('snapshot', kept);
    const body = { canister_id: this.canister };
    const stopped = await this.journal.ask('stop', () => this.api.post('/canister/stop', body));
    this.journal.change('its status', 'stopped', stopped);
    if (stopped.sort === 'done') {
      const taken = await this.journal.ask('snapshot', () => this.api.post('/canister/snapshot/take', body));
      if (taken.sort === 'done') {
        const id = String(taken.body['id']);
        kept.push(id);
        this.journal.begin(`snapshot ${id}`, 'there');
      }
    }
    const started = await this.journal.ask('start', () => this.api.post('/canister/start', body));
    this.journal.change('its status', 'running', started);
    const [oldest] = kept;
    if (oldest === undefined || kept.length < MOST_KEPT) return;
    const asked = { ...body, snapshot_id: oldest };
    const outcome = await this.journal.ask('delete snapshot', () =>
      this.api.post('/canister/snapshot/delete', asked),
    );
    this.journal.change(`snapshot ${oldest}`, 'gone', outcome);
    if (outcome.sort !== 'refused') kept.shift();
  }

  async #push(): Promise<void> {
    const text = randomUUID();
    await writeFile(join(this.#folder, 'index.html'), text);
    await git(['add', '-A'], this.#folder);
    await git(['commit', '-q', '-m', text], this.#folder);
    const commit = (await git(['rev-parse', 'HEAD'], this.#folder)).trim();
    this.pages.set(commit, text);
    const remote = `${this.#url.replace('://', `://x:${this.#secret}@`)}/${this.user}/work.git`;
    const pushed = await promisify(execFile)('git', ['push', '-q', remote, 'main'], {
      cwd: this.#folder,
      timeout: PUSH_PATIENCE_MS,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    }).then(
      () => true,
      (error: unknown) => this.journal.lose('push', error) ?? false,
    );
    if (pushed) this.journal.done += 1;
    this.journal.change('branch main', commit, pushed ? { sort: 'done', body: {} } : { sort: 'unknown' });
  }

  async #makeDeploy(): Promise<void> {
    const source = { owner: this.user, repo_name: 'work', branch: 'main' };
    const { body } = await this.api.post('/deploy', { name: 'Site', ...source, publish_directory: '' });
    this.#kept.set('site', [String(body['id'])]);
    await this.api.patch(`/deploy/${String(body['id'])}`, { on_push: true });
  }

  get site(): string {
    return this.#kept.get('site')?.[0] ?? '';
  }

  async #trigger(): Promise<void> {
    const key = { 'idempotency-key': randomUUID() };
    const begin = (): Promise<Outcome> =>
      this.journal.ask('trigger', () => this.api.post(`/deploy/${this.site}/trigger`, {}, key));
    const first = await begin();
    // Sent again with its key, it is the same run.
    const outcome = first.sort === 'unknown' ? await begin() : first;
    if (outcome.sort === 'done') this.runs.push([this.site, String(outcome.body['id'])]);
  }

  async #rollBack(): Promise<void> {
    const read = await this.journal.ask('read', () => this.api.get(`/deploy/${this.site}/instances`));
    if (read.sort !== 'done') return;
    const runs = read.body['data'] as { id: string; status: string }[];
    const done = runs.filter(({ status }) => status === 'COMPLETED');
    const chosen = done[Math.floor(this.#random() * done.length)];
    if (chosen === undefined) return;
    const path = `/deploy/${this.site}/instances/${chosen.id}/rollback`;
    const outcome = await this.journal.ask('rollback', () => this.api.post(path, {}));
    if (outcome.sort === 'done') this.runs.push([this.site, String(outcome.body['id'])]);
  }

  async #renameRepository(): Promise<void> {
    const made = await this.journal.ask('template', () =>
      this.api.post('/repository/templates/static-site', {}),
    );
    // Its name may be one that another had before.
    if (made.sort === 'unknown') this.journal.doubt('repository static-site', 'there');
    if (made.sort !== 'done') return;
    const [before, after] = [String(made.body['name']), `r-${randomUUID()}`];
    this.journal.begin(`repository ${before}`, 'there');
    this.journal.begin(`repository ${after}`, 'gone');
    const path = `/repository/rename/${this.user}/${before}`;
    const renamed = await this.journal.ask('rename repository', () =>
      this.api.post(path, { new_name: after }),
    );
    this.journal.change(`repository ${before}`, 'gone', renamed);
    this.journal.change(`repository ${after}`, 'there', renamed);
    if (renamed.sort !== 'done') {
      this.renamed.push([before, after]);
      return;
    }
    if (this.#random() < 0.3) return;
    const gone = await this.journal.ask('delete repository', () =>
      this.api.delete(`/repository/content/${this.user}/${after}`),
    );
    this.journal.change(`repository ${after}`, 'gone', gone);
  }

  async #session(): Promise<void> {
    const begun = await ApiClient.signIn(this.#url, this.user).catch((error: unknown) =>
      this.journal.lose('sign in', error),
    );
    if (begun === undefined) return;
    if (begun.token === 'undefined') return this.journal.lose('sign in', 'it gave no token');
    this.sessions.push(begun.token);
    this.journal.begin(`session ${begun.token}`, 'valid');
    const ended = await this.journal.ask('sign out', () => begun.post('/auth/logout', {}));
    this.journal.change(`session ${begun.token}`, 'ended', ended);
  }

  async #keepKind(kind: Kind): Promise<void> {
    const kept = this.#kept.get(kind.name) ?? [];
    this.#kept.set(kind.name, kept);
    const name = `${kind.name} ${randomUUID()}`;
    const made = await kind.make(this, name);
    if (made.sort === 'done') {
      kept.push(kind.idOf(made.body));
      this.journal.begin(`${kind.name} ${kind.idOf(made.body)}`, name);
    }
    const [oldest] = kept;
    if (oldest === undefined) return;
    if (kind.rename !== undefined) {
      const again = `${kind.name} ${randomUUID()}`;
      this.journal.change(`${kind.name} ${oldest}`, again, await kind.rename(this, oldest, again));
    }
    if (kept.length < MOST_KEPT) return;
    const removed = await kind.remove(this, oldest);
    this.journal.change(`${kind.name} ${oldest}`, 'gone', removed);
    if (removed.sort !== 'refused') kept.shift();
  }
}

const idIn =
  (field: string) =>
  (body: Readonly<Record<string, unknown>>): string =>
    String(body[field]);

const NOTHING: Outcome = { sort: 'refused', code: 'no upload' };

const KINDS: readonly Kind[] = [
  {
    name: 'git token',
    make: ({ journal, api }, label) =>
      journal.ask('git token', () => api.post('/repository/tokens', { label, minutes: 600 })),
    idOf: idIn('id'),
    remove: ({ journal, api }, id) =>
      journal.ask('revoke git token', () => api.delete(`/repository/tokens/${id}`)),
  },
  {
    name: 'API token',
    make: ({ journal, api }, label) =>
      journal.ask('API token', () => api.post('/api-tokens', { label, scopes: ['deploys:read'] })),
    idOf: idIn('id'),
    remove: ({ journal, api }, id) => journal.ask('delete API token', () => api.delete(`/api-tokens/${id}`)),
  },
  {
    name: 'registry',
    make: async (citizen, name) => {
      const identifier = await citizen.upload();
      if (identifier === undefined) return NOTHING;
      return citizen.journal.ask('registry', () => citizen.api.post('/registry/add', { name, identifier }));
    },
    idOf: idIn('id'),
    rename: ({ journal, api }, id, name) =>
      journal.ask('update registry', () => api.post(`/registry/update/${id}`, { name })),
    remove: ({ journal, api }, id) =>
      journal.ask('delete registry', () => api.post(`/registry/delete/${id}`, {})),
  },
  {
    name: 'dapp',
    make: async (citizen, name) => {
      const wasm = await citizen.upload();
      if (wasm === undefined) return NOTHING;
      const texts = { git_url: 'https://example.org/a/b', description: 'Made under load', version: '1.0.0' };
      const body = { name, wasm, ...texts };
      return citizen.journal.ask('dapp', () => citizen.api.post('/marketplace/submit', body));
    },
    idOf: idIn('data'),
    rename: ({ journal, api }, id, name) =>
      journal.ask('update dapp', () => api.post(`/marketplace/update/${id}`, { name })),
    remove: ({ journal, api }, id) =>
      journal.ask('delete dapp', () => api.post(`/marketplace/delete/${id}`, {})),
  },
  {
    name: 'deploy',
    make: ({ journal, api, user }, name) => {
      const source = { owner: user, repo_name: 'work', branch: 'main', publish_directory: '' };
      return journal.ask('deploy', () => api.post('/deploy', { name, ...source }));
    },
    idOf: idIn('id'),
    rename: ({ journal, api }, id, name) =>
      journal.ask('update deploy', () => api.patch(`/deploy/${id}`, { name })),
    remove: ({ journal, api }, id) => journal.ask('delete deploy', () => api.delete(`/deploy/${id}`)),
  },
  {
    name: 'canister',
    make: ({ journal, api }, name) =>
      journal.ask('create', () =>
        api.post('/canister/create', { name }, { 'idempotency-key': randomUUID() }),
      ),
    idOf: ({ data }) => (data as { canister_id: string }).canister_id,
    rename: ({ journal, api }, canister_id, name) =>
      journal.ask('rename', () => api.post('/canister/rename', { canister_id, name })),
    remove: async ({ journal, api }, canister_id) => {
      await journal.ask('stop', () => api.post('/canister/stop', { canister_id }));
      return journal.ask('delete canister', () => api.post('/canister/delete', { canister_id }));
    },
  },
];
