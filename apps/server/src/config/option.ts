import type { z } from 'zod';

/** A setting of the environment. */
interface Option {
  readonly schema: z.ZodType;
  /** Shown by --help where the schema has a default. */
  readonly shown: string;
  readonly help: string;
}

/** A row of the list of settings. */
export function option<T extends z.ZodType>(schema: T, shown: string, help: string): { schema: T } & Option {
  return { schema, shown, help };
}
