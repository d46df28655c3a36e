/** A figure and the opcodes it belongs to. */
type Row = readonly [figure: number, opcodes: readonly number[]];

/** The numbers from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

/** A figure for each of 256 opcodes: 1 for those in no row. */
export function opcodeTable(rows: readonly Row[]): Uint16Array {
  const figures = new Uint16Array(256).fill(1);
  for (const [figure, opcodes] of rows) for (const opcode of opcodes) figures[opcode] = figure;
  return figures;
}
