import type { FormErrors } from '../form/to-value.ts';

/** A composite of more parts than this is shown in pages of this many. */
export const PARTS_ON_A_PAGE = 50;

/** The part, by its number in the path, that the first mistake below a path lies in; undefined for none. */
export function firstWrongPart(errors: FormErrors, path: string): number | undefined {
  const start = `${path}/`;
  for (const at of errors.keys()) {
    if (at.startsWith(start)) return Number(at.slice(start.length).split('/', 1)[0]);
  }
  return undefined;
}
