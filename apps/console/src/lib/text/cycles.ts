import { CYCLES_PER_T } from '@cannery/contract';

/** Cycles as they arrive: an exact decimal text where the service sends one, else a JSON number. */
export type CyclesValue = string | number | null | undefined;

/** The exact cycles of a value, or undefined when there is none. */
export function readCycles(value: CyclesValue): bigint | undefined {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.round(value));
  return undefined;
}

/** Cycles in T with two decimals, rounded half away from zero: 1.23 for 1,234,567,890,123. */
function inT(cycles: bigint): string {
  const hundredth = CYCLES_PER_T / 100n;
  const size = cycles < 0n ? -cycles : cycles;
  const hundredths = (size + hundredth / 2n) / hundredth;
  const text = `${(hundredths / 100n).toString()}.${(hundredths % 100n).toString().padStart(2, '0')}`;
  return cycles < 0n && hundredths !== 0n ? `-${text}` : text;
}

/** '1.23 T', or 'N/A'. */
export function cyclesInT(value: CyclesValue): string {
  const cycles = readCycles(value);
  return cycles === undefined ? 'N/A' : `${inT(cycles)} T`;
}

/** '1.23 T' up to 999.99 T, from there '1.2k T' or '3.4M T', cut: for a place of about 60 px. */
export function cyclesShort(value: CyclesValue): string {
  const cycles = readCycles(value);
  if (cycles === undefined || cycles < 1_000n * CYCLES_PER_T) return cyclesInT(value);
  const [unit, size] = cycles < 1_000_000n * CYCLES_PER_T ? ['k', 1_000n] : ['M', 1_000_000n];
  const tenths = (cycles * 10n) / (size * CYCLES_PER_T);
  return `${tenths / 10n}.${tenths % 10n}${unit} T`;
}

/** Every digit with separators: '1,234,567,890,123', or 'N/A'. */
export function cyclesExact(value: CyclesValue): string {
  const cycles = readCycles(value);
  return cycles === undefined ? 'N/A' : cycles.toLocaleString('en-US');
}

/** Every digit without separators, as the number is, or 'N/A'. */
export function cyclesPlain(value: CyclesValue): string {
  return readCycles(value)?.toString() ?? 'N/A';
}

/** The list cell: '1,234,567,890,123 ~ 1.23 T', or 'N/A'. */
export function cyclesCell(value: CyclesValue): string {
  const cycles = readCycles(value);
  return cycles === undefined ? 'N/A' : `${cycles.toLocaleString('en-US')} ~ ${inT(cycles)} T`;
}

const exactUnits = [
  ['T', 1_000_000_000_000n],
  ['B', 1_000_000_000n],
  ['M', 1_000_000n],
  ['k', 1_000n],
] as const;

/** Cycles in the largest unit that leaves a whole part, rounded as everywhere: '1.23 T', '45.00 M', '12'. */
export function cyclesInUnit(cycles: string): string {
  const amount = BigInt(cycles);
  for (const [name, size] of exactUnits) {
    const hundredths = (amount * 100n + size / 2n) / size;
    if (hundredths < 100n) continue;
    const text = hundredths.toString();
    return `${text.slice(0, -2)}.${text.slice(-2)} ${name}`;
  }
  return amount.toString();
}

const axisUnits = [
  ['T', 1e12],
  ['B', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const;

/** Cycles beside an axis with the given step: in one unit for the whole axis, with as many decimals as the step needs. */
export function cycleTick(value: number, { step, top }: { step: number; top: number }): string {
  const [name, size] = axisUnits.find(([, unit]) => top >= unit) ?? ['', 1];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  const text = (value / size).toFixed(decimals);
  return name === '' ? text : `${text} ${name}`;
}
