import { AppError } from '../../errors.ts';
import type { HookHost } from './hook-hosts.ts';

/** No event of a git host is nested deeper. */
const DEEPEST = 32;
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
  const parsed = refs.safeParse(isFlat(json) ? jsonOf(json) : undefined);
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

/** Whether no value of a JSON text is nested too deeply, seen without making any of them. */
function isFlat(json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isText && character === '\\') at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > DEEPEST) return false;
  }
  return true;
}
