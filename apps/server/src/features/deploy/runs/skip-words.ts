/** GitHub's list, in any case: https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs */
const MARKS = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i;
const TRAILER = /^skip-checks:[ \t]*true$/i;

/**
 * What in the message of a commit says that its push starts no run: a mark such as `[skip ci]`, anywhere, or the line
 * `skip-checks: true` in the last of several paragraphs.
 * @returns the mark or line as it should be shown; null for none
 */
export function skipWordsOf(message: string | null): string | null {
  if (message === null) return null;
  const [mark] = MARKS.exec(message) ?? [];
  if (mark !== undefined) return mark;
  const text = message.replaceAll('\r', '').trimEnd();
  const paragraph = text.lastIndexOf('\n\n');
  if (paragraph < 0) return null;
  const isTrailer = (line: string): boolean => TRAILER.test(line.trim());
  return text.slice(paragraph).split('\n').some(isTrailer) ? 'skip-checks: true' : null;
}
