import { z } from 'zod';

/** Where the code of a canister can have come from; `empty` is no code, `unknown` what was never written down. */
export const originKinds = ['dapp', 'registry', 'run', 'file', 'empty', 'unknown'] as const;

/** Where the code of a canister came from, as it was written down when it was put in. */
export const codeOrigin = z.object({
  kind: z.enum(originKinds),
  /** The canister has other code than the one that this was written down for: somebody else has changed it. */
  changed_outside: z.boolean(),
  /** Id of the dapp, the registry or the deploy; null for what is none of them. */
  source_id: z.string().nullable(),
  /** The run of the deploy. */
  run_id: z.string().nullable(),
  /**
   * The run that what the canister has is of: of a website the one that has put its files in, which may be later than the run that has
   * put in its code. Null for what is of no run, and where it is not known.
   */
  run: z
    .object({
      id: z.string(),
      /** Its place among the runs of its deploy, from 1. */
      number: z.number(),
      /** The whole id of the commit that it has built. */
      commit: z.string().nullable(),
      /** Whether the commit is one of the repository that the deploy has now. */
      in_repository: z.boolean(),
    })
    .nullable(),
  /** Its name when the code was put in. */
  name: z.string().nullable(),
  /** Of the dapp or the registry. */
  version: z.string().nullable(),
  /** Username of who has published the dapp. */
  publisher: z.string().nullable(),
  /** Username of who has put the code in; null where that is not known. */
  by: z.string().nullable(),
  at: z.string(),
});

/** What a client says it takes a module from. The header `Code-Origin` carries it. */
export type NamedOrigin = { readonly dapp: string } | { readonly registry: string; readonly version: number };

/** An origin as the header `Code-Origin` has it. */
export function originHeader(origin: NamedOrigin): string {
  return 'dapp' in origin ? `dapp ${origin.dapp}` : `registry ${origin.registry} ${origin.version}`;
}

/** Reads the header `Code-Origin`; undefined for what is none. Takes time in proportion to its length, which is at most 200. */
export function readOriginHeader(text: string): NamedOrigin | undefined {
  if (text.length > 200) return undefined;
  const [kind, id, version, ...rest] = text.split(' ');
  if (id === undefined || id === '' || rest.length > 0) return undefined;
  if (kind === 'dapp' && version === undefined) return { dapp: id };
  if (kind !== 'registry' || version === undefined || !/^[1-9]\d{0,8}$/.test(version)) return undefined;
  return { registry: id, version: Number(version) };
}
