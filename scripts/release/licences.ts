import type { Component } from './bill-of-materials.ts';

/** Licences (SPDX) that the product may contain: none asks anything of its users but notices. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'Artistic-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
]);

/** The licence of a component as one expression; empty where its package names none. */
export function licenceOf({ licenses = [] }: Pick<Component, 'licenses'>): string {
  return licenses
    .map((each) => ('expression' in each ? each.expression : (each.license.id ?? each.license.name ?? '')))
    .join(' AND ');
}

/**
 * Whether an SPDX expression may be used: of 'A OR B' one side, of 'A AND B' both. Exceptions ('WITH') are for whoever
 * adds one to look at.
 */
export function isAllowed(expression: string): boolean {
  const text = expression.trim();
  if (text.startsWith('(') && closes(text)) return isAllowed(text.slice(1, -1));
  const sides = (word: string): string[] => splitOutside(text, ` ${word} `);
  // AND binds tighter than OR.
  const [either, both] = [sides('OR'), sides('AND')];
  if (either.length > 1) return either.some(isAllowed);
  if (both.length > 1) return both.every(isAllowed);
  return ALLOWED.has(text);
}

/** Whether the first bracket is closed by the last character. */
function closes(text: string): boolean {
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return at === text.length - 1;
  }
  return false;
}

function splitOutside(text: string, word: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    else if (depth === 0 && text.startsWith(word, at)) {
      parts.push(text.slice(from, at));
      from = at + word.length;
    }
  }
  return [...parts, text.slice(from)];
}
