import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idOf, outcome, outcomeOf, type ReadObject, rowsOf } from './reading.ts';

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

/** Longest name of a registry entry, in characters. */
export const MAX_REGISTRY_NAME = 200;

/** What the dialog asks for beside the file. */
export const registryForm = z.object({
  name: z
    .string()
    .trim()
    .min(1, { message: 'Name is required.' })
    .max(MAX_REGISTRY_NAME, { message: `The name can have at most ${MAX_REGISTRY_NAME} characters.` }),
});

const idParams = z.object({ id: z.string().min(1) });

export const registryEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/registry/',
    summary: 'Registries of the user, newest first',
    signedIn: true,
    response: z.array(registry),
    reading: rowsOf(registry),
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
