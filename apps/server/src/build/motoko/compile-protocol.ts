/** What a compile worker is given; all paths are relative to `root` and already checked. */
export interface CompileRequest {
  root: string;
  /** Folder of the modules that are kept for the owner of the sources; null to keep and to recall none. */
  kept: string | null;
  main: string;
  /** Source paths the compiler may see. */
  sources: string[];
  /** Sets of flags to try in order. */
  attempts: string[][];
  packages: [name: string, folder: string][];
  /** Versions the project's settings ask for, for the message about a missing package. */
  wanted: [name: string, version: string][];
  /** Where a package is named that is not there, and what helps. */
  missing: [name: string, advice: string][];
  /** Other names of the bundled libraries, such as 'core@1'. */
  aliases: string[];
  /** What `import "canister:name"` means. */
  canisters: CanisterImport[];
}

/** A canister that others import. */
export interface CanisterImport {
  name: string;
  /** Its principal as text. */
  id: string;
  /** Its interface. */
  candid: string;
}

export interface CompiledModule {
  wasm: Uint8Array;
  /** The interface, with the types of the install arguments if there are any. */
  candid: string;
  stableTypes: string | null;
}
