import type { z } from 'zod';

/**
 * Reads an answer in its bare or its wrapped form: as it is, from below `data`, or put below `data`.
 * @throws the schema's error when no form fits.
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const direct = schema.safeParse(body);
  if (direct.success) return direct.data;
  const inner = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  for (const form of [inner, { data: body }]) {
    const parsed = schema.safeParse(form);
    if (parsed.success) return parsed.data;
  }
  throw direct.error;
}
