/** Who may open a route; a signed-out visitor of any other is sent to the sign-in page. */
export type Access = 'any' | 'signed out only' | 'signed in';

export interface RouteRow {
  /** `$name` marks a part of the address that varies. */
  readonly path: string;
  readonly access: Access;
}

/** Routes of the template shell, which is features/demo. The router reads these rows only, and a browser loads no others. */
export const demoTable = [
  { path: '/ics/profile', access: 'signed in' },
  { path: '/ics/profile_temp', access: 'signed in' },
  { path: '/app', access: 'any' },
  { path: '/app/users', access: 'any' },
  { path: '/app/users/create', access: 'any' },
  { path: '/app/users/edit/$id', access: 'any' },
  { path: '/app/ecommerce/management', access: 'signed in' },
  { path: '/app/ecommerce/management/create', access: 'signed in' },
  { path: '/app/ecommerce/management/edit/$id', access: 'signed in' },
  { path: '/app/ecommerce/create', access: 'signed in' },
  { path: '/app/ecommerce/edit/$id', access: 'signed in' },
  { path: '/app/ecommerce/product/$id', access: 'signed in' },
] as const satisfies readonly RouteRow[];

/** The routes of the template shell, by who may open them. */
export function demoPaths(access: Access): string[] {
  return demoTable.filter((row) => row.access === access).map(({ path }) => path);
}
