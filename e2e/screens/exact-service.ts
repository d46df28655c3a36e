import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExactMarketplace } from './exact-marketplace.ts';

const site = fileURLToPath(new URL('../../apps/console/dist/', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

type Fields = Record<string, unknown>;

/** A call that the console made. */
export interface SeenCall {
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON body, or the raw text of a form; undefined without a body. */
  readonly body: unknown;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const AT = '2024-03-05T15:07:00.000Z';
const T = 1_000_000_000_000;

/**
 * A second service for the console, written from the specification alone: its answers have the fields of chapter 3 in the
 * shapes of chapter 7, none more, and every call that the call table does not name is a 404 with an empty object.
 */
export class ExactService {
  /** Where the pages find the API, when it is not on this origin; then no other origin may be called. */
  apiUrl: string | undefined;
  /** The origin whose pages may call this service from elsewhere. */
  caller: string | undefined;
  /** Which values the answers leave out; ids stay. */
  withheld: 'nothing' | 'absent' | 'null' = 'nothing';
  /** Answers instead of the usual one, by call, such as 'POST /canister/topup'. */
  readonly instead = new Map<string, Answer>();
  readonly seen: SeenCall[] = [];
  readonly registries: Fields[] = [];
  readonly marketplace = new ExactMarketplace();
  readonly canisters: Fields[] = [];
  readonly transactions: Fields[] = [];
  readonly deploys: Fields[] = [];
  readonly instances: Fields[] = [];
  readonly logs: Fields[] = [];
  balance = 90 * T;
  #ids = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<ExactService> {
    const service = new ExactService();
    await new Promise<void>((listening) => service.#server.listen(0, '127.0.0.1', listening));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  addCanister(fields: Fields): Fields {
    const canister = {
      id: `canister-${++this.#ids}`,
      cycles: 1_234_567_890_123,
      status: 'running',
      module_hash: '',
      created_at: AT,
      updated_at: AT,
      ...fields,
    };
    this.canisters.unshift(canister);
    return canister;
  }

  addDeploy(fields: Fields, runs: readonly Fields[] = []): Fields {
    const deploy: Fields = {
      id: `deploy-${++this.#ids}`,
      type: 'STATIC_SITE',
      status: null,
      repo_name: 'site',
      github_repo_owner: 'ada',
      branch: 'main',
      build_command: 'make',
      publish_directory: 'out',
      is_public: false,
      duration: null,
      created_at: AT,
      canisters: [],
      ...fields,
    };
    this.deploys.unshift(deploy);
    for (const run of runs) this.#addRun(deploy, run);
    return deploy;
  }

  #addRun(deploy: Fields, fields: Fields = {}): Fields {
    const run = {
      id: `run-${++this.#ids}`,
      status: 'SCHEDULED',
      deploy_id: deploy['id'],
      trigger_by: 'MANUAL',
      commit_id: 'abcdef0123',
      commit_message: 'First page',
      logs: '',
      created_at: AT,
      ...fields,
    };
    this.instances.unshift(run);
    return run;
  }

  #log({ id, cycles, module_hash, status }: Fields): void {
    const entry = { id: `log-${++this.#ids}`, cycles, module_hash, status, updated_at: AT };
    this.logs.unshift({ canister: id, entry });
  }

  #pay(name: string, canister: Fields, amount: number): void {
    this.transactions.unshift({
      id: `transaction-${++this.#ids}`,
      transaction_name: name,
      transaction_type: 'DEBIT',
      amount,
      balance_before: this.balance,
      balance_after: this.balance - amount,
      transaction_meta: JSON.stringify({ canister_id: canister['id'] }),
      created_at: AT,
    });
    this.balance -= amount;
  }

  /** An entity as the switches let it out. */
  #shown(entity: Fields): Fields {
    if (this.withheld === 'nothing') return entity;
    const { id, ...rest } = entity;
    const kept = id === undefined ? {} : { id };
    if (this.withheld === 'absent') return kept;
    return { ...kept, ...Object.fromEntries(Object.keys(rest).map((name) => [name, null])) };
  }

  #deployWithRun(deploy: Fields): Fields {
    const latest = this.instances.find(({ deploy_id }) => deploy_id === deploy['id']);
    return this.#shown({
      ...deploy,
      status: latest?.['status'] ?? null,
      ...(latest && { deployInstance: this.#shown(latest) }),
    });
  }

  #answer(call: string, body: Fields): Answer | undefined {
    const canister = this.canisters.find(({ id }) => id === body['canister_id']);
    const one = <Found>(found: Found | undefined, show: (found: Found) => unknown): Answer =>
      found === undefined ? { status: 404, body: {} } : { body: show(found) };
    const byId = (list: readonly Fields[], id: string | undefined) =>
      list.find((entry) => entry['id'] === id);
    const [path = '', id, part, runId] =
      /^\w+ (\/deploy|\/canister\/status|\/statuslogs)\/([^/]+)(?:\/(\w+)(?:\/([^/]+))?)?$/
        .exec(call)
        ?.slice(1) ?? [];
    switch (call) {
      case 'GET /user/profile':
        return {
          body: this.#shown({ id: 'user-1', name: 'Ada', username: 'ada', avatar: null, location: 'London' }),
        };
      case 'GET /getInsights':
        return { body: this.#shown({ balance: this.balance, total_canisters: this.canisters.length }) };
      case 'GET /transactions':
        return { body: this.transactions.map((row) => this.#shown(row)) };
      case 'GET /canister/list':
        return { body: this.canisters.map((row) => this.#shown(row)) };
      case 'POST /canister/create': {
        const created = this.addCanister({ name: body['name'], cycles: 2 * T });
        this.#pay('CANISTER_CREATE', created, 2 * T);
        this.#log(created);
        return { body: { canister_id: { canister_id: created['id'] } } };
      }
      case 'POST /canister/start':
      case 'POST /canister/stop':
        return one(canister, (found) => {
          found['status'] = call.endsWith('start') ? 'running' : 'stopped';
          this.#log(found);
          return {};
        });
      case 'POST /canister/topup':
        return one(canister, (found) => {
          const cycles = Number(body['amount']) * T;
          found['cycles'] = Number(found['cycles']) + cycles;
          this.#pay('CANISTER_TOPUP', found, cycles);
          return {};
        });
      case 'POST /canister/install':
        return one(canister, (found) => {
          found['module_hash'] = ['aa11', 'bb22'];
          this.#log(found);
          return { data: true };
        });
      case 'POST /canister/delete':
        return one(canister, (found) => {
          this.canisters.splice(this.canisters.indexOf(found), 1);
          return {};
        });
      case 'GET /registry':
        return { body: this.registries.map((row) => this.#shown(row)) };
      case 'POST /registry/add': {
        const { name, identifier } = body;
        const added = { id: `registry-${++this.#ids}`, name, wasm_identifier: identifier, created_at: AT };
        this.registries.unshift(added);
        return { body: { data: added.id } };
      }
      case 'POST /document/upload':
        return { body: { data: { identifier: 'wasm-1' } } };
      case 'GET /deploy/repos':
        return { body: [this.#shown({ name: 'site', private: true, owner: { login: 'ada' } })] };
      case 'POST /deploy/branches':
        return { body: [{ name: 'main' }, { name: 'next' }].map((row) => this.#shown(row)) };
      case 'GET /deploy':
        return { body: this.deploys.map((row) => this.#deployWithRun(row)) };
      case 'POST /deploy': {
        const { name, branch, owner, repo_name, deploy_type, is_public, build_command, publish_directory } =
          body;
        const settings = { build_command, publish_directory, is_public, branch };
        const created = this.addDeploy({
          name,
          github_repo_owner: owner,
          repo_name,
          type: deploy_type,
          ...settings,
        });
        return { body: { id: created['id'] } };
      }
    }
    const ofMarketplace = this.marketplace.answer(call, body, (dapp) => this.#shown(dapp));
    if (ofMarketplace !== undefined) return ofMarketplace;
    const [, action, registryId] = /^POST \/registry\/(update|delete)\/(.+)$/.exec(call) ?? [];
    if (action !== undefined) {
      return one(byId(this.registries, registryId), (found) => {
        if (action === 'delete') this.registries.splice(this.registries.indexOf(found), 1);
        else Object.assign(found, { name: body['name'], wasm_identifier: body['identifier'] });
        return {};
      });
    }
    if (path === '/canister/status') return one(byId(this.canisters, id), (found) => this.#shown(found));
    if (path === '/statuslogs') {
      const entries = this.logs.filter((log) => log['canister'] === id);
      return { body: entries.map(({ entry }) => this.#shown(entry as Fields)) };
    }
    const deploy = path === '/deploy' ? byId(this.deploys, id) : undefined;
    if (deploy === undefined) return undefined;
    if (call.startsWith('PATCH')) {
      const { name, build_cmd, publish_dir } = body;
      Object.assign(deploy, { name, build_command: build_cmd, publish_directory: publish_dir });
      return { body: {} };
    }
    if (part === 'trigger') return { body: { id: this.#addRun(deploy)['id'] } };
    const runs = this.instances.filter(({ deploy_id }) => deploy_id === id);
    if (part === 'instances' && runId === undefined)
      return { body: { data: runs.map((run) => this.#shown(run)) } };
    if (part !== 'instances') return { body: this.#deployWithRun(deploy) };
    return one(byId(runs, runId), (run) => {
      // Each look finds the run one step further.
      const steps = { SCHEDULED: 'RUNNING', RUNNING: 'COMPLETED' } as const;
      run['status'] = steps[run['status'] as keyof typeof steps] ?? run['status'];
      run['logs'] = 'Fetching the branch\nBuilt in no time\n';
      return this.#shown(run);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    if (!pathname.startsWith('/api/')) return sendFile(pathname, response, this.apiUrl);
    if (this.caller !== undefined) allow(this.caller, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = request.headers['content-type'] === 'application/json';
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text === '' ? undefined : text;
    const path = pathname.slice('/api'.length);
    const call = `${request.method} ${path.replace(/\/$/, '')}`;
    this.seen.push({ call, headers: request.headers, body });
    const fields = isJson ? ((body ?? {}) as Fields) : {};
    const answer = hasItsForm(path, search) && (this.instead.get(call) ?? this.#answer(call, fields));
    const { status = 200, body: answered } = answer || { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered));
  }
}

/** Paths that the call table writes with a slash at the end. */
const slashed = /^\/(?:canister\/list|registry|getInsights|transactions|marketplace)\/?$/;

/** Whether a path ends as the call table has it. Of the calls with an id only that for the status in real time has a slash. */
function hasItsForm(path: string, search: string): boolean {
  const isRealTime = path.startsWith('/canister/status/') && search === '?real_time=true';
  return path.endsWith('/') === (slashed.test(path) || isRealTime);
}

/** A file of the built console, or its page for every other address. */
function sendFile(pathname: string, response: ServerResponse, apiUrl: string | undefined): void {
  const wanted = join(site, pathname);
  const file = existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(site, 'index.html');
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    ...(apiUrl && { 'content-security-policy': `connect-src ${new URL(apiUrl).origin}` }),
  });
  const isPage = apiUrl !== undefined && file.endsWith('.html');
  if (!isPage) return void createReadStream(file).pipe(response);
  response.end(readFileSync(file, 'utf8').replace('content="/api"', `content="${apiUrl}"`));
}

/** The headers of CORS for one origin. */
function allow(origin: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-headers', 'authorization, content-type, idempotency-key');
  response.setHeader('access-control-allow-methods', 'GET, POST, PATCH');
}
