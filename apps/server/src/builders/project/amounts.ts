/** Factors of the settings of icp.yaml and dfx.json, by unit (reference of icp-cli 1.5, 'Canister settings'). */
const units = {
  bytes: {
    '': 1n,
    b: 1n,
    kb: 1_000n,
    kib: 1024n,
    mb: 1_000_000n,
    mib: 1024n ** 2n,
    gb: 1_000_000_000n,
    gib: 1024n ** 3n,
  },
  cycles: { '': 1n, k: 10n ** 3n, m: 10n ** 6n, b: 10n ** 9n, t: 10n ** 12n },
  seconds: { '': 1n, s: 1n, m: 60n, h: 3_600n, d: 86_400n, w: 604_800n },
} as const;

/** Decimals that are kept. */
const DECIMALS = 12;

/**
 * Reads an amount such as `2.5gib`, `1t`, `30d` or `1_000`.
 * @returns the amount in bytes, cycles or seconds; null when it is not one
 */
export function readAmount(value: unknown, unit: keyof typeof units): bigint | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const match = /^([\d_]{1,40})(?:\.(\d{1,12}))?\s*([a-z]{0,3})$/i.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = '', suffix = ''] = match;
  const factors: Readonly<Record<string, bigint>> = units[unit];
  const factor = factors[suffix.toLowerCase()];
  const digits = whole.replaceAll('_', '');
  if (factor === undefined || digits === '') return null;
  const scale = 10n ** BigInt(DECIMALS);
  return ((BigInt(digits) * scale + BigInt(fraction.padEnd(DECIMALS, '0'))) * factor) / scale;
}
