/** Units of memory, each 1024 times the one before it. */
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes for people: '512 B', '1.50 MiB', '4.00 GiB'; cut, never rounded up to more than there is. */
export function byteSize(bytes: bigint | string | number): string {
  let left = BigInt(bytes);
  let unit = 0;
  let hundredths = left * 100n;
  while (left >= 1024n && unit < byteUnits.length - 1) {
    left /= 1024n;
    hundredths /= 1024n;
    unit += 1;
  }
  const name = byteUnits[unit] ?? '';
  if (unit === 0) return `${left.toString()} ${name}`;
  const text = hundredths.toString();
  return `${text.slice(0, -2)}.${text.slice(-2)} ${name}`;
}
