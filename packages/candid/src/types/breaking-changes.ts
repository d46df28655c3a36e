import type { IDL } from '@icp-sdk/core/candid';
import { CandidError } from '../errors.ts';
import { printName } from './label.ts';
import { parseService, type ServiceMethod } from './service.ts';
import { type Misfit, SubtypeCheck } from './subtype.ts';

/** Most reasons that are given. */
const MAX_REASONS = 50;
/** Characters of a text that is read; the largest interfaces in use have a fifth of it. */
const MAX_TEXT = 300_000;

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
