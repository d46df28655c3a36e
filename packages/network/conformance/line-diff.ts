/** The lines in which two texts differ, `-` expected and `+` actual, by the longest common subsequence. */
export function lineDiff(expected: string, actual: string): string[] {
  const left = expected.split('\n');
  const right = actual.split('\n');
  const start = left.findIndex((line, index) => line !== right[index]);
  if (start < 0) return right.slice(left.length).map((line) => `+ ${line}`);
  const common = commonLengths(left, right, start);
  const diff: string[] = [];
  let i = start;
  let j = start;
  while (i < left.length || j < right.length) {
    const isSame = i < left.length && j < right.length && left[i] === right[j];
    if (isSame) {
      i += 1;
      j += 1;
    } else if (
      j >= right.length ||
      (i < left.length && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    ) {
      diff.push(`- ${left[i]}`);
      i += 1;
    } else {
      diff.push(`+ ${right[j]}`);
      j += 1;
    }
  }
  return diff;
}

const lengthAt = (table: readonly Uint32Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** Length of the longest common subsequence of the rests of both texts, from `start` on. */
function commonLengths(left: readonly string[], right: readonly string[], start: number): Uint32Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= start; i -= 1) {
    const row = table[i];
    if (!row) continue;
    for (let j = right.length - 1; j >= start; j -= 1) {
      row[j] =
        left[i] === right[j]
          ? lengthAt(table, i + 1, j + 1) + 1
          : Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1));
    }
  }
  return table;
}
