import { z } from 'zod';

/** One option: how it is read, and how --help shows it. */
interface Option {
  readonly schema: z.ZodType;
  /** Shown by --help where the schema has a default. */
  readonly shown: string;
  readonly help: string;
}

/** A row of the list of options. */
export function option<T extends z.ZodType>(schema: T, shown: string, help: string): { schema: T } & Option {
  return { schema, shown, help };
}

/** A port; 0 is any free one. */
export const port = z.coerce
  .number({ error: 'must be a port number' })
  .int('must be a port number')
  .min(0, 'must be 0 to 65535')
  .max(65_535, 'must be 0 to 65535');
