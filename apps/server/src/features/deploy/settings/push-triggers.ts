import { Glob, GlobError } from '../../../glob/glob.ts';
import { AppError } from '../../../errors.ts';
import { checkText } from './create-deploy.ts';
import { WatchPaths } from './watch-paths.ts';

/** Says of a pattern that cannot be read what is wrong with it. */
function readable(what: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new AppError('invalid_input', `The ${what} cannot be read: ${error.message}.`);
  }
}

/**
 * Watch paths as they are kept: without blank ones.
 * @throws AppError invalid_input for a pattern that cannot be read
 */
export function watchPathsOf(given: readonly string[] | undefined): readonly string[] | undefined {
  const patterns = given
    ?.map((pattern) => checkText(pattern, 'watch path'))
    .filter((pattern) => !/^!?[./]*$/.test(pattern));
  if (patterns !== undefined) readable('watch paths', () => void new WatchPaths(patterns));
  return patterns;
}

const tagGlob = (pattern: string): Glob => new Glob(pattern, { acrossFolders: false });

/**
 * The pattern of tags as it is kept; empty for no tags.
 * @throws AppError invalid_input for a pattern that cannot be read
 */
export function tagPatternOf(given: string | undefined): string | undefined {
  const pattern = given === undefined ? undefined : checkText(given, 'pattern of tags');
  if (pattern) readable('pattern of tags', () => void tagGlob(pattern));
  return pattern;
}

/** Whether a push of a tag deploys. @param pattern as it is kept */
export function isDeployedTag(pattern: string, tag: string): boolean {
  return pattern !== '' && tagGlob(pattern).matches(tag);
}
