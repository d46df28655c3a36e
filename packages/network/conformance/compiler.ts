import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CompileAnswer, CompileRequest } from './compile-process.ts';
import type { Persistence } from './compiler-flags.ts';

const PROCESS = fileURLToPath(new URL('./compile-process.ts', import.meta.url));
/** Compilations after which a process is replaced: its memory only grows. */
const COMPILATIONS_PER_PROCESS = 60;

/** The compiler refuses the file. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
}

/** Compiles files of a suite with npm `motoko`; modules are kept in the system's temporary folder. */
export class MotokoCompiler {
  readonly version: string;
  readonly #suite: string;
  readonly #cache: string;
  readonly #processes = new Map<Persistence, CompileProcess>();
  /** Covers the files that a file may import. */
  readonly #suiteHash: string;

  constructor(suite: string) {
    const { version } = createRequire(import.meta.url)('motoko/package.json') as { version: string };
    this.version = version;
    this.#suite = suite;
    this.#suiteHash = hashOfImports(suite);
    this.#cache = join(tmpdir(), 'cannery-conformance-motoko');
    mkdirSync(this.#cache, { recursive: true });
  }

  /** The module of a file, compiled in canister mode; throws `CompileError`. */
  async compile(request: CompileRequest): Promise<Uint8Array> {
    const key = createHash('sha256')
      .update(JSON.stringify([this.version, this.#suiteHash, request]))
      .digest('hex');
    const path = join(this.#cache, `${key}.json`);
    const answer: CompileAnswer = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as CompileAnswer)
      : await this.#run(request);
    if (!existsSync(path)) {
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(answer));
      renameSync(`${path}.${process.pid}`, path);
    }
    if ('error' in answer) throw new CompileError(answer.error);
    return new Uint8Array(Buffer.from(answer.wasm, 'base64'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((running) => running.close()));
    this.#processes.clear();
  }

  async #run(request: CompileRequest): Promise<CompileAnswer> {
    const { persistence } = request.settings;
    let running = this.#processes.get(persistence);
    if (running && running.compilations >= COMPILATIONS_PER_PROCESS) {
      await running.close();
      running = undefined;
    }
    running ??= await CompileProcess.start(this.#suite, persistence);
    this.#processes.set(persistence, running);
    return await running.compile(request);
  }
}

class CompileProcess {
  readonly #child: ChildProcess;
  compilations = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(suite: string, persistence: Persistence): Promise<CompileProcess> {
    const child = fork(PROCESS, [suite, persistence], {
      env: { ...process.env, MOC_UNLOCK_PRIM: 'yesplease' },
      execArgv: ['--stack-size=8000', '--max-old-space-size=2048'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const running = new CompileProcess(child);
    await running.#message();
    return running;
  }

  async compile(request: CompileRequest): Promise<CompileAnswer> {
    this.compilations += 1;
    this.#child.send(request);
    return (await this.#message()) as CompileAnswer;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.once('exit', () => resolve());
    this.#child.disconnect();
    await promise;
  }

  #message(): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const ended = (code: number | null): void => reject(new Error(`The compiler ended with code ${code}.`));
    this.#child.once('exit', ended);
    this.#child.once('message', (message) => {
      this.#child.off('exit', ended);
      resolve(message);
    });
    return promise;
  }
}

function hashOfImports(suite: string): string {
  const hash = createHash('sha256');
  const paths = readdirSync(suite, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[/\\].*\.(mo|did)$/.test(path) && !/^(ok|_out)[/\\]/.test(path))
    .toSorted();
  for (const path of paths) hash.update(path).update(readFileSync(join(suite, path)));
  return hash.digest('hex');
}
