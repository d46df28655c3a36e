import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { compatibility } from './canister/module-inspection.ts';
import { idOf, outcome, outcomeOf, type ReadObject, rowsOf } from './texts/reading.ts';

/** A named WebAssembly module that a user keeps; each new module of it is a version. */
export const registry = z.object({
  id: z.string(),
  name: z.string(),
  /** Identifier of the newest version's module. */
  wasm_identifier: z.string(),
  /** Number of the newest version; the first is 1. */
  version: z.number(),
  created_at: z.string(),
});
/** A registry entry as the service answers it, and as the console reads it. */
export type RegistryAnswer = z.infer<typeof registry>;
export type Registry = ReadObject<RegistryAnswer>;

/** What a list of registries is sorted by, the usual first. */
export const registrySorts = ['created', 'name', 'identifier', 'id'] as const;
export type RegistrySort = (typeof registrySorts)[number];

/** Most registries of one page. */
export const MAX_REGISTRY_PAGE = 100;

/** Longest name of a registry entry, in characters. */
export const MAX_REGISTRY_NAME = 200;

/** One module that a registry has or had. */
export const registryVersion = z.object({
  /** From 1. */
  version: z.number(),
  /** SHA-256 of the bytes, hex: also the module hash of a canister that runs it. */
  identifier: z.string(),
  /** Bytes as uploaded. */
  size: z.number(),
  created_at: z.string(),
  /** Canisters of the user whose module hash is this one, by name. */
  canisters: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type RegistryVersion = z.infer<typeof registryVersion>;

/** What a version's module tells of itself; empty or null for one that was never looked into. */
export const registryModule = z.object({
  unpacked_size: z.number().nullable(),
  /** Functions it exports for the network, such as 'canister_query get'. */
  exports: z.array(z.string()),
  /** Text of the Candid interface. */
  candid: z.string().nullable(),
  /** Types of the stable variables, as Motoko modules tell them. */
  stable_types: z.string().nullable(),
});
export type RegistryModule = z.infer<typeof registryModule>;

/** What changes for a canister that goes from one version to another. */
export const registryComparison = z.object({
  candid: compatibility,
  stable_memory: compatibility,
  /** Methods that are new, gone or of another signature; null signatures where the method is not. */
  methods: z.array(
    z.object({ method: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});
export type RegistryComparison = z.infer<typeof registryComparison>;

/** What the dialog asks for beside the file. */
export const registryForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { message: 'Name is required.' })
    .max(MAX_REGISTRY_NAME, { message: `The name can have at most ${MAX_REGISTRY_NAME} characters.` }),
});

const idParams = z.object({ id: z.string().min(1) });

/** Travels in the address as digits. */
const versionNumber = z.string().regex(/^[1-9]\d{0,6}$/, { message: 'A version is a number from 1.' });

export const registryEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/registry/',
    summary: 'Registries of the user, newest first',
    signedIn: true,
    response: z.array(registry),
    reading: rowsOf(registry),
  }),
  page: endpoint({
    method: 'GET',
    path: '/registry/page',
    summary: 'A page of the registries of the user, those whose name holds a text, in any order',
    signedIn: true,
    query: z.object({
      /** Part of a name, without regard to case. */
      search: z.string().max(MAX_REGISTRY_NAME).optional(),
      by: z.enum(registrySorts).optional(),
      /** Newest first, and names from A on, unless said. */
      direction: z.enum(['asc', 'desc']).optional(),
      offset: z.coerce.number().int().min(0).max(1_000_000).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_REGISTRY_PAGE),
    }),
    response: z.object({
      registries: z.array(registry),
      /** How many there are, as far as they were counted. */
      total: z.number(),
      /** Whether there are more than were counted. */
      more: z.boolean(),
    }),
  }),
  one: endpoint({
    method: 'GET',
    path: '/registry/{id}',
    summary: 'A registry with its versions, newest first, and the canisters that run them',
    signedIn: true,
    params: idParams,
    response: registry.extend({ versions: z.array(registryVersion) }),
  }),
  module: endpoint({
    method: 'GET',
    path: '/registry/{id}/versions/{number}',
    summary: 'What the module of a version tells of itself',
    signedIn: true,
    params: idParams.extend({ number: versionNumber }),
    response: registryModule,
  }),
  compare: endpoint({
    method: 'GET',
    path: '/registry/{id}/compare',
    summary: 'What changes for callers and data when a canister goes from one version to another',
    signedIn: true,
    params: idParams,
    query: z.object({ from: versionNumber, to: versionNumber }),
    response: registryComparison,
  }),
  add: endpoint({
    method: 'POST',
    path: '/registry/add',
    summary: 'Keeps an uploaded WebAssembly module under a name',
    signedIn: true,
    body: registryForm.extend({ identifier: z.string().min(1) }),
    idempotent: true,
    response: z.object({ data: z.string(), id: z.string() }),
    reading: idOf(),
  }),
  update: endpoint({
    method: 'POST',
    path: '/registry/update/{id}',
    summary:
      'Renames a registry; another module becomes its next version. Without an identifier the module stays',
    signedIn: true,
    params: idParams,
    body: registryForm.extend({ identifier: z.string().min(1).optional() }),
    idempotent: true,
    response: z.object({ data: registry }),
    reading: outcome,
  }),
  delete: endpoint({
    method: 'POST',
    path: '/registry/delete/{id}',
    summary: 'Deletes a registry with all its versions; canisters that run one of them go on',
    signedIn: true,
    params: idParams,
    response: z.object({ message: z.string() }),
    reading: outcomeOf(z.object({ message: z.string() })),
  }),
};
