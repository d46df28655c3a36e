import { z } from 'zod';
import { isWithinJsonBudget } from '../../fairness/json-budget.ts';
import type { LfsObject } from '../lfs/lfs-object.ts';

/** Objects that a host is asked for at once, as git-lfs does. */
export const ASKED_AT_ONCE = 100;
/** Bytes of an answer about them; signed addresses have some 2,000 characters. */
export const ANSWER_BYTES = 1024 * 1024;
const BUDGET = { depth: 10, values: 100 * ASKED_AT_ONCE };
/** Longest address, and longest message that is shown. */
const ADDRESS_LIMIT = 8_000;
const MESSAGE_SHOWN = 200;

const ANSWER = z.object({
  objects: z.array(
    z.object({
      oid: z.string(),
      size: z.number(),
      actions: z.object({ download: z.object({ href: z.string() }).optional() }).optional(),
      error: z.object({ message: z.string().catch('') }).optional(),
    }),
  ),
});

/** Where an object is, or why it cannot be had. */
export type ObjectPlace = { readonly href: URL } | { readonly cause: string };

/**
 * What a host answers to a request of the batch API.
 * @returns the places of objects by their ids; null for what is no such answer
 */
export function readLfsAnswer(text: string, asked: readonly LfsObject[]): Map<string, ObjectPlace> | null {
  if (text.length > ANSWER_BYTES || !isWithinJsonBudget(text, BUDGET)) return null;
  const parsed = ANSWER.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const sizes = new Map(asked.map(({ oid, size }) => [oid, size]));
  const places = new Map<string, ObjectPlace>();
  for (const { oid, size, actions, error } of parsed.data.objects) {
    if (sizes.get(oid) !== size) continue;
    const href = actions?.download?.href;
    if (error !== undefined) places.set(oid, { cause: `The host says: ${plain(error.message)}` });
    else if (href !== undefined) places.set(oid, placeAt(href));
  }
  return places;
}

/** The place that an address leads to, when its form may be followed: https, without a password. */
export function placeAt(address: string): ObjectPlace {
  const url = address.length <= ADDRESS_LIMIT && URL.canParse(address) ? new URL(address) : null;
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
    ? { href: url }
    : { cause: 'The host leads to an address that is not fetched from: only https is.' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A foreign text as a log can show it. */
function plain(text: string): string {
  return text
    .slice(0, MESSAGE_SHOWN)
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .trim();
}
