import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { isWithinJsonBudget } from '../../fairness/json-budget.ts';
import { isOid, type LfsObject, OBJECT_LIMIT } from '../../git/lfs/lfs-object.ts';

/** Objects of one request; git-lfs asks for 100 unless its user has set another number (lfs.transfer.batchSize). */
const OBJECTS_LIMIT = 1_000;
/** Bytes of a request of that many objects, with room for what else a client says. */
export const REQUEST_BYTES = 256 * 1024;
/** Each object is a list entry with two fields. */
const BUDGET = { depth: 8, values: 8 * OBJECTS_LIMIT };

/** What a client wants to do with objects. */
export interface LfsBatch {
  readonly operation: 'upload' | 'download';
  readonly objects: readonly LfsObject[];
}

/** What the answer to a batch says of an object. */
export type BatchEntry = LfsObject &
  (
    | { readonly actions?: Readonly<Record<string, { readonly href: string }>> }
    | { readonly error: { readonly code: number; readonly message: string } }
  );

const OBJECT = z.object({
  oid: z.string().refine(isOid, 'is no SHA-256 in 64 hexadecimal digits of lower case'),
  size: z.int('is no number of bytes').min(0, 'is no number of bytes'),
});
const BATCH = z.object({
  operation: z.enum(['upload', 'download']),
  transfers: z.array(z.string()).optional(),
  hash_algo: z.string().optional(),
  objects: z.array(OBJECT),
});

/** @throws AppError payload_too_large for more than one request may hold, invalid_input for anything else that is wrong */
export function readBatch(text: string): LfsBatch {
  const given = jsonOf(text);
  const { objects } = z
    .object({ objects: z.array(z.unknown()).catch([]) })
    .catch({ objects: [] })
    .parse(given);
  if (objects.length > OBJECTS_LIMIT) {
    throw new AppError(
      'payload_too_large',
      `The request names ${objects.length} objects; ${OBJECTS_LIMIT} are the most of one. ` +
        "Set a smaller number: 'git config lfs.transfer.batchSize 100'.",
    );
  }
  const batch = read(BATCH, given);
  if (batch.transfers !== undefined && !batch.transfers.includes('basic'))
    throw new AppError('invalid_input', "This host knows the transfer 'basic' only.");
  if (batch.hash_algo !== undefined && batch.hash_algo !== 'sha256')
    throw new AppError('invalid_input', "This host knows the hash 'sha256' only.");
  return batch;
}

/** The object that a client asks about. @throws AppError invalid_input */
export function readLfsObject(given: string | { readonly oid: string; readonly size: string }): LfsObject {
  if (typeof given === 'string') return read(OBJECT, jsonOf(given));
  const { oid, size } = given;
  return read(OBJECT, { oid, size: /^\d{1,15}$/.test(size) ? Number(size) : size });
}

/** Why an object cannot be taken whatever room there is; null when it can. */
export function tooLargeText({ size }: LfsObject): string | null {
  return size > OBJECT_LIMIT ? `A file may have ${OBJECT_LIMIT / 1024 ** 2} MiB at most.` : null;
}

function jsonOf(text: string): unknown {
  if (!isWithinJsonBudget(text, BUDGET))
    throw new AppError('payload_too_large', 'The request holds too many values.');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('invalid_input', 'The request is no JSON.', { cause: error });
  }
}

function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('invalid_input', `The request is wrong: ${issue?.path.join('.')} ${issue?.message}.`, {
    cause: parsed.error,
  });
}
