import { readdirSync, readFileSync } from 'node:fs';

/** What one of the programs holds at a moment. */
export interface Held {
  /** Bytes of memory that it has without files. */
  readonly memory: number;
  /** Files and sockets that it has open. */
  readonly descriptors: number;
}

/** @throws Error where there is no such process */
export function heldBy(pid: number): Held {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { memory: kib * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** How much more there is of something for each unit of what it is held against, by the line of least squares through points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0);
  const together = points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0);
  return spread === 0 ? 0 : together / spread;
}
