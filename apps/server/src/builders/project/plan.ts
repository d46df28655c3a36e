import type { SettingsChange } from '@cannery/contract';

/** Install arguments as a project gives them. */
export type InstallArgument =
  /** Candid text. */
  | { readonly kind: 'text'; readonly text: string }
  /** Encoded already. */
  | { readonly kind: 'hex'; readonly hex: string };

interface Common {
  readonly name: string;
  /** Folder of its settings, relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  /** Names of canisters of the project whose ids or interfaces it needs. */
  readonly dependencies: readonly string[];
  readonly argument: InstallArgument | null;
  /** Settings to apply on the network. */
  readonly settings: SettingsChange;
}

/** A canister compiled from Motoko. */
export interface MotokoCanister extends Common {
  readonly kind: 'motoko';
  /** Path of the main file in the repository. */
  readonly main: string;
  /** Compiler flags as the project gives them. */
  readonly flags: readonly string[];
}

/** An asset canister. */
export interface SiteCanister extends Common {
  readonly kind: 'site';
  /** Folders whose files are served together, relative to the checkout. */
  readonly sources: readonly string[];
  /** Shell commands that make them. */
  readonly commands: readonly string[];
}

/** A canister whose module the repository holds, names by address, or builds by commands. */
export interface ModuleCanister extends Common {
  readonly kind: 'module';
  readonly commands: readonly string[];
  /** Path in the repository, or an https address. Null when the commands write to `ICP_WASM_OUTPUT_PATH`. */
  readonly wasm: string | null;
  /** Path of the interface in the repository, or an https address; null when only the module tells. */
  readonly candid: string | null;
  /** Its principal on the real network, where the project knows one. */
  readonly realId: string | null;
  /** What the module must hash to, hex; null when the project does not say. */
  readonly sha256: string | null;
}

/** A canister that cargo compiles. */
export interface RustCanister extends Common {
  readonly kind: 'rust';
  /** Name of its package in the Cargo workspace. */
  readonly package: string;
  /** Name of the file of its module without ending, where that is not the name of the package. */
  readonly crate: string | null;
  /** Path of the interface in the repository, or an https address; null when only the module tells. */
  readonly candid: string | null;
  /** Its principal on the real network, where the project knows one. */
  readonly realId: string | null;
}

/** A canister that is not deployed. */
export interface LeftCanister extends Common {
  readonly kind: 'left';
  /** What it is, such as 'rust'. */
  readonly type: string;
  /** Why not, as the second half of a sentence. */
  readonly reason: string;
  /** Its principal on the network of the deploy, where the project knows one. */
  readonly id: string | null;
  /** Path of the interface in the repository, or an https address. */
  readonly candid: string | null;
  /** Its principal on the real network, where the project knows one. */
  readonly realId: string | null;
}

export type PlannedCanister = MotokoCanister | SiteCanister | ModuleCanister | RustCanister | LeftCanister;

/** How a project wants its JavaScript bindings. */
export interface Declarations {
  /** Folder, relative to the checkout. */
  readonly folder: string;
  /** Text for the canister's id in place of the environment variables; null for those. */
  readonly idOverride: string | null;
}

/** What a project says of itself. */
export interface Project {
  readonly canisters: readonly PlannedCanister[];
  /** The file that told, or null when only the sources were looked at. */
  readonly settings: string | null;
  /** Where the project wants its ids written; null when it does not say. */
  readonly envFile: string | null;
  /** Of those canisters that want other bindings than the usual ones. */
  readonly declarations: Readonly<Record<string, Declarations>>;
  /** What the reader of the log must know, such as settings that are not applied. */
  readonly remarks: readonly string[];
}
