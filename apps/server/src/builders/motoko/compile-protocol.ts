/** What a compile worker is given: texts, and paths of the project that are already checked. It opens no file of the project. */
export interface CompileRequest {
  /** Folder of the modules that are kept for the owner of the sources; null to keep and to recall none. */
  kept: string | null;
  main: string;
  /** Files the compiler may see, by their paths; in UTF-8. */
  sources: ReadonlyMap<string, Uint8Array>;
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
