declare module 'semver' {
  /** The parts that builds use; the package brings no types. */
  export function satisfies(version: string, range: string): boolean;
  export function intersects(one: string, other: string): boolean;
  export function valid(version: string): string | null;
  export function validRange(range: string): string | null;
  export function major(version: string): number;
}
