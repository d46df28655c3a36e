import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What is counted in a value of a kind that is too large or too small; nothing in a number. */
const counted: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function bound(
  most: 'at most' | 'at least',
  { origin, limit }: { origin: string; limit: number | bigint },
): string {
  if (most === 'at least' && origin === 'string' && limit === 1) return 'must not be empty';
  const what = counted[origin];
  return `must ${what === undefined ? 'be' : 'have'} ${most} ${limit.toLocaleString('en')}${what ?? ''}`;
}

/** What is wrong with an input, in words that need no knowledge of its schema; undefined where the schema's own are all there is. */
export function plainProblem(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return bound('at most', { origin: issue.origin, limit: issue.maximum });
    case 'too_small':
      return bound('at least', { origin: issue.origin, limit: issue.minimum });
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return kinds[issue.expected] && `must be ${kinds[issue.expected]}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
    case 'invalid_union':
      return 'does not have the form that it must have';
    default:
      return undefined;
  }
}
