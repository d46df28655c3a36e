import type { z } from 'zod';

/** A setting of the environment. */
interface Option {
  readonly schema: z.ZodType;
  /** Shown by --help where the schema has a default. */
  readonly shown: string;
  readonly help: string;
  /** Whether a file may have it in place of the environment (secret-files.ts). */
  readonly secret?: true;
}

type SecretOption = Option & { readonly secret: true };

/** Names that only a secret has. */
type NameOfSecret =
  | 'DATABASE_URL'
  | `${string}_SECRET${string}`
  | `${string}_KEY`
  | `${string}PASSWORD${string}`
  | `${string}TOKEN${string}`;

/** The list of settings: one with the name of a secret has to be made by `secretOption`. */
export type OptionTable = { readonly [name in NameOfSecret]: SecretOption } & {
  readonly [name: string]: Option;
};

/** A row of the list of settings. */
export function option<T extends z.ZodType>(schema: T, shown: string, help: string): { schema: T } & Option {
  return { schema, shown, help };
}

/** A row for a secret. Its messages must not repeat the value: they are printed. */
export function secretOption<T extends z.ZodType>(
  schema: T,
  shown: string,
  help: string,
): { schema: T } & SecretOption {
  return { schema, shown, help, secret: true };
}
