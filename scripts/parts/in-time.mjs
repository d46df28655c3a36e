/**
 * Where tests have to end in time (`TESTS_END`, seconds since 1970), files run in goes, and a go begins only if it can be expected to
 * end before: decision 0173.
 */

/** Files of a go. */
const GO = 12;
/** What a go is expected to take before one has been measured, in milliseconds. */
const FIRST_GO_MS = 300_000;
const MS_PER_DAY = 86_400_000;

/**
 * The files in goes. Each day begins elsewhere, so that what a slow day leaves out is the first of another.
 * @param {readonly string[]} files
 * @param {Date} today
 * @returns {string[][]}
 */
export function goesOf(files, today) {
  const count = Math.ceil(files.length / GO);
  const goes = Array.from({ length: count }, (_, at) => files.slice(at * GO, (at + 1) * GO));
  const first = Math.floor(today.getTime() / MS_PER_DAY) % Math.max(count, 1);
  return [...goes.slice(first), ...goes.slice(0, first)];
}

/**
 * Runs goes until no other one would end in time.
 * @param {readonly string[][]} goes
 * @param {(files: string[], place: number) => Promise<number>} run answers an exit code
 * @param {{ endMs: number, now?: () => number }} until milliseconds since 1970
 * @returns {Promise<{ code: number, left: string[] }>} the first exit code that is not 0, and the files that did not run
 */
export async function runInTime(goes, run, { endMs, now = Date.now }) {
  let code = 0;
  let longest = FIRST_GO_MS;
  for (const [place, files] of goes.entries()) {
    const beganAt = now();
    if (beganAt + longest > endMs) return { code, left: goes.slice(place).flat() };
    const ended = await run(files, place);
    if (code === 0) code = ended;
    longest = place === 0 ? now() - beganAt : Math.max(longest, now() - beganAt);
  }
  return { code, left: [] };
}
