import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { git } from '@cannery/dev-env';
import { ApiClient } from '../../test/support/client.ts';
import { moduleOf } from '../findings.ts';

/** What the service said is done. */
export interface Journal {
  readonly user: string;
  readonly labels: string[];
  /** SHA-256 of each upload. */
  readonly uploads: string[];
  /** Repository and the commit that its branch was said to have last. */
  readonly pushes: Map<string, string>;
  /** Canister, and the hash of the module that it was said to have last. */
  readonly installed: Map<string, string>;
}

/** Codes with which the service may say that something under it is away or full; every other status from 500 on is a finding. */
export const TYPED: readonly string[] = [
  'database_unavailable',
  'storage_unavailable',
  'network_unavailable',
  'disk_full',
];

const SMALL_MODULE = 2_000;
const FILE_BYTES = 60_000;
const PAUSE_MS = 60;
const PATIENCE_MS = 90_000;

/** One user who makes tokens, uploads, installs and pushes, one after the other, and keeps a journal. */
export class WorkingClient {
  readonly journal: Journal;
  readonly findings: string[] = [];
  /** Calls that were refused in a way that the contract has, by code. */
  readonly refused: Record<string, number> = {};
  done = 0;
  /** Longest time of one call, in milliseconds. */
  longestMs = 0;
  readonly #api: ApiClient;
  readonly #url: string;
  readonly #folder: string;
  #secret = '';
  #canister: string | undefined;
  #hasCode = false;

  constructor(url: string, token: string, options: { user: string; folder: string }) {
    this.#url = url;
    this.#api = new ApiClient(url, token);
    this.#folder = join(options.folder, options.user);
    this.journal = { user: options.user, labels: [], uploads: [], pushes: new Map(), installed: new Map() };
  }

  async begin(): Promise<void> {
    const { body } = await this.#api.post('/repository/tokens', { label: 'git' });
    this.#secret = String(body.secret);
    await mkdir(this.#folder, { recursive: true });
    await git(['init', '-q', '-b', 'main'], this.#folder);
    this.#canister = await this.#api.create('worked on');
  }

  /** Does one piece of work of each kind. */
  async step(): Promise<void> {
    await this.#token();
    await this.#install();
    await this.#push();
    await sleep(PAUSE_MS);
  }

  /** @returns the answer of a call that was carried out; undefined where it was refused, or nobody answered */
  async #ask(what: string, call: () => Promise<{ status: number; body: Record<string, unknown> }>) {
    const start = performance.now();
    const answer = await call().catch(() => undefined);
    const ms = performance.now() - start;
    this.longestMs = Math.max(this.longestMs, ms);
    if (ms > PATIENCE_MS) this.findings.push(`${what} took ${(ms / 1000).toFixed(0)} s`);
    if (answer?.status === 200) {
      this.done += 1;
      return answer.body;
    }
    const code = answer === undefined ? 'no answer' : String(answer.body.code);
    this.refused[code] = (this.refused[code] ?? 0) + 1;
    const isTyped = answer === undefined || answer.status < 500 || TYPED.includes(code);
    if (!isTyped) this.findings.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer !== undefined && answer.body.next_step === undefined)
      this.findings.push(`${what}: ${answer.status} without a next step`);
    return undefined;
  }

  async #token(): Promise<void> {
    const label = randomUUID();
    const made = await this.#ask('a token', () => this.#api.post('/repository/tokens', { label }));
    if (made !== undefined) this.journal.labels.push(label);
  }

  async #install(): Promise<void> {
    const wasm = moduleOf(SMALL_MODULE);
    const hash = createHash('sha256').update(wasm).digest('hex');
    const uploaded = await this.#ask('an upload', () => this.#api.upload('/document/upload', 'wasm', wasm));
    if (uploaded === undefined) return;
    if (uploaded.identifier !== hash) this.findings.push('an upload has another name than its content');
    this.journal.uploads.push(hash);
    const canister_id = this.#canister;
    const body = { canister_id, identifier: hash, mode: this.#hasCode ? 'reinstall' : 'install' };
    const installed = await this.#ask('an installation', () =>
      this.#api.post('/canister/install', body, { 'idempotency-key': randomUUID() }),
    );
    if (installed !== undefined && canister_id !== undefined) {
      this.journal.installed.set(canister_id, hash);
      this.#hasCode = true;
      return;
    }
    // What was cut off may be carried out until the next one that is acknowledged.
    this.journal.installed.clear();
    if (canister_id !== undefined) this.#hasCode = await this.#isFilled(canister_id);
  }

  async #isFilled(id: string): Promise<boolean> {
    const { body } = await this.#api
      .get(`/canister/status/${id}/?real_time=true`)
      .catch(() => ({ body: {} }));
    const { module_hash: hash } = body as { module_hash?: unknown };
    return typeof hash === 'string' || this.#hasCode;
  }

  async #push(): Promise<void> {
    const name = 'pushed';
    await writeFile(join(this.#folder, 'data.bin'), randomBytes(FILE_BYTES));
    await git(['add', '-A'], this.#folder);
    await git(['commit', '-q', '-m', 'x'], this.#folder);
    const commit = (await git(['rev-parse', 'HEAD'], this.#folder)).trim();
    const remote = `${this.#url.replace('://', `://x:${this.#secret}@`)}/${this.journal.user}/${name}.git`;
    const pushed = await promisify(execFile)('git', ['push', '-q', remote, 'main'], {
      cwd: this.#folder,
      timeout: PATIENCE_MS,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    }).then(
      () => true,
      () => false,
    );
    if (pushed) this.done += 1;
    else this.refused['push refused'] = (this.refused['push refused'] ?? 0) + 1;
    if (pushed) this.journal.pushes.set(name, commit);
  }
}
