import type { WayOut } from '../egress/egress-proxy.ts';
import type { OperatorNpm } from './operator-npm.ts';
import type { SiteFile, SiteLimits } from './publish-directory.ts';
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
  readonly siteLimits: SiteLimits;
  /** The operator's own settings of npm. */
  readonly operator: OperatorNpm;
  /** Whether build commands get the way out, too. */
  readonly commandHasNetwork: boolean;
  /** Opens the way out of this build; its notes are for the build's log. */
  openWay(onNote: (text: string) => void): Promise<WayOut>;
}

/** Turns a checkout into an artifact. @throws BuildError with a sentence for the end of the log */
export type Builder = (run: BuildRun, input: BuildInput) => Promise<Artifact>;
