import type { SiteFile } from './publish-directory.ts';
import type { BuildRun } from './step-runner.ts';
import type { Toolchain } from './toolchain.ts';

/** What a build yields. */
export type Artifact =
  | { readonly kind: 'site'; readonly files: readonly SiteFile[] }
  | {
      readonly kind: 'module';
      readonly name: string;
      readonly wasm: Uint8Array;
      /** The whole interface, install arguments included. */
      readonly candid: string;
      /** Candid text of the install arguments the project gives; null when it gives none. */
      readonly initArg: string | null;
    };

export interface BuildInput {
  readonly buildCommand: string;
  /** Relative to the checkout; empty for the checkout itself. */
  readonly publishDirectory: string;
  readonly toolchain: Toolchain;
  /** npm's cache of this user, on disk. */
  readonly cache: string;
  readonly memoryMegabytes: number;
  /** The server's environment, of which only the way to the package registry is passed on. */
  readonly operator: NodeJS.ProcessEnv;
}

/** Turns a checkout into an artifact. @throws BuildError with a sentence for the end of the log */
export type Builder = (run: BuildRun, input: BuildInput) => Promise<Artifact>;
