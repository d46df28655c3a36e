import { CandidError } from '../errors.ts';
import { parseService } from './service.ts';

/** A method that differs between two services; a side is absent where the method is. */
export interface InterfaceChange {
  readonly method: string;
  /** `(args) -> (results) mode` as Candid text. */
  readonly before?: string;
  readonly after?: string;
}

/** Most changes that are told. */
const MAX_CHANGES = 200;
/** Characters of a text that is read; the largest interfaces in use have a fifth of it. */
const MAX_TEXT = 300_000;

/**
 * The methods that are new, gone or of another signature in a service, in the order of the texts: first those of the
 * earlier service. Signatures are compared as written, so a type that changed behind its name is not among them.
 * @throws CandidError when a text cannot be read or is too large to compare
 */
export function interfaceChanges(before: string, after: string): InterfaceChange[] {
  if (Math.max(before.length, after.length) > MAX_TEXT) {
    throw new CandidError(`A text of more than ${MAX_TEXT} characters is not compared`);
  }
  const earlier = parseService(before).methods;
  const later = parseService(after).methods;
  const laterByName = new Map(later.map((method) => [method.name, method.signature]));
  const known = new Set(earlier.map(({ name }) => name));
  const changes: InterfaceChange[] = [];
  for (const { name: method, signature } of earlier) {
    const next = laterByName.get(method);
    if (next === undefined) changes.push({ method, before: signature });
    else if (next !== signature) changes.push({ method, before: signature, after: next });
  }
  for (const { name: method, signature } of later) {
    if (!known.has(method)) changes.push({ method, after: signature });
  }
  return changes.slice(0, MAX_CHANGES);
}
