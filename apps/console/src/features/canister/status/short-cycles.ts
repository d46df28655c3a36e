const units = [
  ['T', 1_000_000_000_000n],
  ['B', 1_000_000_000n],
  ['M', 1_000_000n],
  ['k', 1_000n],
] as const;

/** Cycles in the largest unit that leaves a whole part, rounded as everywhere: '1.23 T', '45.00 M', '12'. */
export function shortCycles(cycles: string): string {
  const amount = BigInt(cycles);
  for (const [name, size] of units) {
    const hundredths = (amount * 100n + size / 2n) / size;
    if (hundredths < 100n) continue;
    const text = hundredths.toString();
    return `${text.slice(0, -2)}.${text.slice(-2)} ${name}`;
  }
  return amount.toString();
}
