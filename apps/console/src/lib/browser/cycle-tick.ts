const units = [
  ['T', 1e12],
  ['B', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const;

/** Cycles beside an axis with the given step: in one unit for the whole axis, with as many decimals as the step needs. */
export function cycleTick(value: number, { step, top }: { step: number; top: number }): string {
  const [name, size] = units.find(([, unit]) => top >= unit) ?? ['', 1];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  const text = (value / size).toFixed(decimals);
  return name === '' ? text : `${text} ${name}`;
}
