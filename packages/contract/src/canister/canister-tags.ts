import { z } from 'zod';

/** Most tags of one canister, and the longest tag in characters. */
export const MAX_CANISTER_TAGS = 10;
export const MAX_TAG_LENGTH = 24;

/** Letters and digits of any script, with blanks and signs between them. */
const TAG = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} ._:/-]{0,22}[\p{L}\p{M}\p{N}])?$/u;

/** The text that a tag is kept as: 'Prod' and ' prod ' are one tag. */
export function tagText(typed: string): string {
  return typed.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** A tag in a call; the service keeps its `tagText`. */
export const canisterTag = z
  .string()
  .max(MAX_TAG_LENGTH * 2)
  .refine((typed) => isTag(tagText(typed)), {
    message: `A tag has 1 to ${MAX_TAG_LENGTH} letters and digits, with blanks and - . _ : / between them`,
  });

/** Whether a text may be a tag, as it is kept. */
export function isTag(text: string): boolean {
  return TAG.test(text);
}
