import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { isWithinJsonBudget } from '../../http/limits/json-budget.ts';
import type { HookHost } from './hook-hosts.ts';

/** HMAC-SHA256 as hexadecimal digits. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Tells from the bytes of a body, as they come, whether their sender has a secret. */
export interface RunningProof {
  /** Whether no body at all makes it good. */
  readonly isHopeless: boolean;
  update(piece: Uint8Array): void;
  /** After the last piece. */
  isGood(): boolean;
}

/**
 * The proof of a sender who names itself by a header; how long it takes says nothing of the secret.
 * @param given what the header says
 */
export function proofOf({ before }: HookHost, given: string, secret: string): RunningProof {
  const hmac = createHmac('sha256', secret);
  const update = (piece: Uint8Array): void => void hmac.update(piece);
  if (before === null) {
    // Digests are of one length, whatever was sent.
    const isGood = timingSafeEqual(digestOf(given), digestOf(secret));
    return { isHopeless: !isGood, update, isGood: () => isGood };
  }
  const text = given.startsWith(before) ? given.slice(before.length) : '';
  const isHopeless = !SIGNATURE.test(text);
  return {
    isHopeless,
    update,
    isGood: () => !isHopeless && timingSafeEqual(Buffer.from(text, 'hex'), hmac.digest()),
  };
}

/** No event of a git host is nested deeper; a push of a thousand commits has some 30,000 values. */
const BUDGET = { depth: 32, values: 100_000 };
const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * The refs to which a push has brought a commit. GitHub and Gitea send their JSON in a form unless told otherwise.
 * @throws AppError invalid_input for what is no push
 */
export function pushedRefs(
  { refs }: HookHost,
  { body, type }: { body: Buffer; type: string | undefined },
): readonly string[] {
  const text = body.toString('utf8');
  const json = FORM.test(type ?? '') ? (new URLSearchParams(text).get('payload') ?? '') : text;
  const parsed = refs.safeParse(isWithinJsonBudget(json, BUDGET) ? jsonOf(json) : undefined);
  if (!parsed.success) throw new AppError('invalid_input', 'The body is not a push event.');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
