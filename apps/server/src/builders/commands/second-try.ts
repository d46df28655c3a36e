import { icWasm, type ProgramPackage } from '../packages/programs/fetch-program.ts';

/** A failure that has nothing to do with the project's own code, and the environment in which the command may pass. */
export interface SecondTry {
  readonly pattern: RegExp;
  readonly say: string;
  env(before: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Whether it is worth a try only where the project has asked for another Node, and with that of the server. */
  readonly ownNode?: true;
  /** What has the program that was missing; null where there is none for this machine, so that a try is worth nothing. */
  readonly program?: ProgramPackage | null;
}

/** What hosts of sites know to go wrong with older tools; each is tried once. */
const SECOND_TRIES: readonly SecondTry[] = [
  {
    pattern: /ERR_OSSL_EVP_UNSUPPORTED|digital envelope routines::unsupported/,
    say: 'The bundler is older than this Node; trying again with the legacy provider of OpenSSL.',
    env: (before) => ({ NODE_OPTIONS: `${before.NODE_OPTIONS ?? ''} --openssl-legacy-provider`.trim() }),
  },
  {
    // Create React App: https://create-react-app.dev/docs/adding-custom-environment-variables/
    pattern: /Treating warnings as errors because process\.env\.CI = true/,
    say: 'The build treats warnings as errors when CI is true; trying again without it.',
    env: () => ({ CI: 'false' }),
  },
  {
    // Next.js, Vite, Angular, Astro and others, in that order.
    pattern:
      /Node\.js version "[^"]{1,40}" is required|requires (?:a minimum )?Node\.js version|Node\.js v[\d.]{1,20} is not supported by|Unsupported Node/,
    say: 'The project asks for an older Node than its packages need; trying again with the Node of the server.',
    env: () => ({}),
    ownNode: true,
  },
  {
    // As a shell says it, and as Node does.
    pattern: /(?:^|[\s:/])ic-wasm: (?:command )?not found$|\bspawn ic-wasm ENOENT/,
    say: 'The build calls ic-wasm; trying again with it.',
    env: () => ({}),
    program: icWasm,
  },
];

/** Finds out, from what a command prints, whether another environment is worth a try. */
export class SecondTryFinder {
  #found: SecondTry | null = null;

  see(line: string): void {
    this.#found ??= SECOND_TRIES.find(({ pattern }) => pattern.test(line)) ?? null;
  }

  /**
   * @param done those that were tried already
   * @param otherNode whether the command ran on another Node than that of the server
   */
  next(done: readonly SecondTry[], otherNode: boolean): SecondTry | null {
    const found = this.#found;
    if (found === null || found.program === null || done.includes(found)) return null;
    return found.ownNode === true && !otherNode ? null : found;
  }
}
