import type { SettingsChange, SiteWarning } from '@cannery/contract';
import type { WayOut } from '../egress/egress-proxy.ts';
import type { OutsideGit } from '../git/outside/outside-git.ts';
import type { OperatorNpm } from './step/operator-npm.ts';
import type { ChosenPart } from './project/choose-canisters.ts';
import type { LeftOutCanister } from './project/left-out.ts';
import type { NetworkName } from './project/dfx-settings.ts';
import type { InstallArgument } from './project/plan.ts';
import type { PackageMachine } from './packages/programs/package-machine.ts';
import type { ProgramStore } from './packages/programs/fetch-program.ts';
import type { SiteCheck } from './site/check-site.ts';
import type { SiteFile, SiteLimits } from './site/publish-directory.ts';
import type { BuildRun } from './step/step-runner.ts';
import type { RustToolchain } from './sandbox/rust-toolchain.ts';
import type { Toolchain } from './sandbox/toolchain.ts';

/** A module to install, with its arguments. */
export interface BuiltModule {
  readonly kind: 'module';
  readonly wasm: Uint8Array;
  /** The whole interface, install arguments included; null when only the module tells. */
  readonly candid: string | null;
  readonly argument: InstallArgument | null;
}

/** Files for an asset canister. */
export interface BuiltSite {
  readonly kind: 'site';
  readonly files: readonly SiteFile[];
  /** What the site check has found. */
  readonly warnings: readonly SiteWarning[];
}

/** What one canister of a deploy is filled with. */
export interface BuiltCanister {
  /** Its name in the project; null for the one canister of a static site. */
  readonly name: string | null;
  readonly content: BuiltModule | BuiltSite;
  /** Settings of the project for it. */
  readonly settings: SettingsChange;
}

/** What a build yields. */
export interface Artifact {
  /** In the order in which they are filled: each after those it needs. */
  readonly canisters: readonly BuiltCanister[];
  /** Canisters of the project that are not deployed. */
  readonly left: readonly LeftOutCanister[];
}

/** The canisters of a deploy on the network. */
export interface DeployCanisters {
  /** Ids of those that are there, by their names in the project. */
  readonly existing: ReadonlyMap<string, string>;
  /** The id of a canister, which is created when it is not there. */
  idOf(name: string): Promise<string>;
}

export interface BuildInput {
  /** Folder of the project, relative to the checkout; empty for the checkout itself. */
  readonly rootDirectory: string;
  /** What commands of the project get besides what the build itself sets. */
  readonly variables: ReadonlyMap<string, string>;
  readonly buildCommand: string;
  /** Relative to the root directory; empty for that itself. */
  readonly publishDirectory: string;
  readonly toolchain: Toolchain;
  /** What compiles Rust canisters; null where nothing does. */
  readonly rust: RustToolchain | null;
  /** Address of the sparse index of crates, without slash at its end. */
  readonly cratesIndex: string;
  /** Id of the deploy: what one keeps for its next build, no other one gets. */
  readonly deployId: string;
  /** Programs that are fetched for builds. */
  readonly programs: ProgramStore;
  /** Folder of the Motoko modules that are kept for this user. */
  readonly keptModules: string;
  readonly memoryMegabytes: number;
  readonly siteLimits: SiteLimits;
  readonly siteCheck: SiteCheck;
  /** The operator's own settings of npm. */
  readonly operator: OperatorNpm;
  /** Whether build commands get the way out, too. */
  readonly commandHasNetwork: boolean;
  readonly network: NetworkName;
  /** Public repositories of the hosts that the operator lists. */
  readonly outsideGit: Pick<OutsideGit, 'allowed' | 'fetchRevision'>;
  /** Where packages of Motoko come from. */
  readonly packages: PackageMachine;
  /** Candid texts that the user gives in the settings of the deploy, by the names of canisters. */
  readonly installArguments: ReadonlyMap<string, string>;
  /** Names of canisters without which others may be deployed though they need them, as the settings of the deploy say. */
  readonly deployWithout: readonly string[];
  /** The part of the project that is deployed; null for all of it. */
  readonly part: ChosenPart | null;
  /** Opens the way out of this build; its notes are for the build's log. */
  openWay(onNote: (text: string) => void): Promise<WayOut>;
  /**
   * The canisters of the deploy for a project of these names. Says in the log which will be created and for how much.
   * @throws AppError insufficient_balance when the account cannot pay for those that are not there
   */
  openCanisters(names: readonly string[]): Promise<DeployCanisters>;
}

/** Turns a checkout into an artifact. @throws BuildError with a sentence for the end of the log */
export type Builder = (run: BuildRun, input: BuildInput) => Promise<Artifact>;
