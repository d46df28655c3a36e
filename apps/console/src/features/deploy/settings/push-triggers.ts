import { type Deploy, TAG_PATTERN_LENGTH, WATCH_PATH_LENGTH, WATCH_PATHS_LIMIT } from '@cannery/contract';

/** The fields of the form, as text. */
export interface PushDraft {
  /** A pattern a line. */
  readonly watchPaths: string;
  readonly deployTags: string;
}

/** What is saved. */
export interface PushTriggers {
  readonly watch_paths: string[];
  readonly deploy_tags: string;
}

/** What the form shows of a deploy. */
export function pushDraft({ watch_paths: paths, deploy_tags: tags }: Deploy): PushDraft {
  return { watchPaths: (paths ?? []).join('\n'), deployTags: tags ?? '' };
}

/** The settings that a draft stands for: lines without what is blank. */
export function givenTriggers({ watchPaths, deployTags }: PushDraft): PushTriggers {
  const lines = watchPaths.split('\n').map((line) => line.trim());
  return { watch_paths: lines.filter((line) => line !== ''), deploy_tags: deployTags.trim() };
}

/** What is wrong with the watch paths. */
export function watchPathsProblem(draft: PushDraft): string | undefined {
  const { watch_paths: paths } = givenTriggers(draft);
  if (paths.length > WATCH_PATHS_LIMIT) return `At most ${WATCH_PATHS_LIMIT} lines.`;
  return paths.some(({ length }) => length > WATCH_PATH_LENGTH)
    ? `At most ${WATCH_PATH_LENGTH} characters a line.`
    : undefined;
}

/** What is wrong with the pattern of tags. */
export function tagsProblem(draft: PushDraft): string | undefined {
  const { deploy_tags: tags } = givenTriggers(draft);
  return tags.length > TAG_PATTERN_LENGTH ? `At most ${TAG_PATTERN_LENGTH} characters.` : undefined;
}
