import type { IDL } from '@icp-sdk/core/candid';
import { CandidError } from '../errors.ts';
import { printName } from './label.ts';
import { parseService, type ServiceMethod } from './service.ts';
import { type Misfit, SubtypeCheck } from './subtype.ts';

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

/** Most reasons that are given. */
const MAX_REASONS = 50;

/**
 * What callers of an installed service would stumble over if another took its place: a sentence for each method. The
 * list is empty when the new service is a subtype of the installed one.
 * Throws CandidError when a text cannot be read or is too large to compare.
 */
export function breakingChanges(installed: string, next: string): string[] {
  if (Math.max(installed.length, next.length) > MAX_TEXT) {
    throw new CandidError(`A text of more than ${MAX_TEXT} characters is not compared`);
  }
  const [before, after] = [parseService(installed), parseService(next)];
  const names = new Map<IDL.Type, string>([...before.typeNames, ...after.typeNames]);
  const check = new SubtypeCheck(names);
  const methods = new Map(after.methods.map((method) => [method.name, method]));
  const reasons: string[] = [];
  for (const old of before.methods) {
    reasons.push(...methodChanges(check, old, methods.get(old.name)));
    if (reasons.length >= MAX_REASONS) return reasons.slice(0, MAX_REASONS);
  }
  return reasons;
}

function methodChanges(check: SubtypeCheck, old: ServiceMethod, method: ServiceMethod | undefined): string[] {
  const title = `The method \`${printName(old.name)}\``;
  if (!method) return [`${title} is gone.`];
  if (old.mode !== method.mode) {
    return [`${title} was ${modeText(old.mode)} and is ${modeText(method.mode)} now.`];
  }
  const refused = check.listMisfit(old.args, method.args, 'argument');
  const notUnderstood = check.listMisfit(method.results, old.results, 'result');
  return [
    ...(refused ? [`${title} refuses calls that were right before: ${whereAndWhat(refused)}.`] : []),
    ...(notUnderstood
      ? [`${title} answers what its callers do not understand: ${whereAndWhat(notUnderstood)}.`]
      : []),
  ];
}

function whereAndWhat({ path, problem }: Misfit): string {
  return path.length === 0 ? problem : `in ${path.join(', ')}, ${problem}`;
}

function modeText(mode: ServiceMethod['mode']): string {
  return { update: 'an update', query: 'a query', composite_query: 'a composite query', oneway: 'oneway' }[
    mode
  ];
}
