import { ApiError } from '../../lib/api/api-error.ts';

/**
 * The first of several names that a look-up knows.
 * @throws what the last look-up threw, or the first one that was not answered
 */
export async function firstFound(
  names: readonly string[],
  lookUp: (name: string) => Promise<unknown>,
): Promise<string> {
  for (const [place, name] of names.entries()) {
    try {
      await lookUp(name);
      return name;
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (!isRefusal || place === names.length - 1) throw error;
    }
  }
  throw new TypeError('There is no name to look up.');
}
