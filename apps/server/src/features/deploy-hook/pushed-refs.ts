import { AppError } from '../../errors.ts';
import { isWithinJsonBudget } from '../../http/limits/json-budget.ts';
import type { HookHost } from './hook-hosts.ts';

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
