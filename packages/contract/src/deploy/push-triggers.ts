import { z } from 'zod';

// Patterns of paths, such as `apps/web` or `!apps/web/*.md`: the last that fits a changed file decides.
/** Patterns of one deploy. */
export const WATCH_PATHS_LIMIT = 50;
/** Characters of one. */
export const WATCH_PATH_LENGTH = 200;
/** Characters of a pattern of tags, such as `v*`. */
export const TAG_PATTERN_LENGTH = 100;

export const watchPaths = z.array(z.string().max(WATCH_PATH_LENGTH)).max(WATCH_PATHS_LIMIT);
export const tagPattern = z.string().max(TAG_PATTERN_LENGTH);
