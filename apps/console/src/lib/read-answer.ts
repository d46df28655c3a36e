import type { z } from 'zod';

/** Rows of a long list that are read before the page gets time for clicks and keys. */
const SLICE = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Reads an answer in its bare or its wrapped form: as it is, from below `data`, or put below `data`.
 * @throws the schema's error when no form fits.
 */
export async function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): Promise<z.output<Schema>> {
  const list = await readLongList(schema, body);
  if (list !== undefined) return list;
  const direct = schema.safeParse(body);
  if (direct.success) return direct.data;
  const inner = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  for (const form of [inner, { data: body }]) {
    const parsed = schema.safeParse(form);
    if (parsed.success) return parsed.data;
  }
  throw direct.error;
}

/** A long list read slice by slice; undefined when the answer is not one, or does not fit. */
async function readLongList<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): Promise<z.output<Schema> | undefined> {
  if (schema.type !== 'array' || !Array.isArray(body) || body.length <= SLICE) return undefined;
  const read: unknown[] = [];
  for (let at = 0; at < body.length; at += SLICE) {
    if (at > 0) await pause();
    const slice = schema.safeParse(body.slice(at, at + SLICE));
    if (!slice.success) return undefined;
    read.push(...(slice.data as readonly unknown[]));
  }
  return read as z.output<Schema>;
}
