/** What the exit code of `cannery` says. Scripts rely on it: a meaning never changes. */
export const exitCodes = {
  completed: 0,
  /** A run that was waited for has failed, or the server has refused what was asked. */
  failed: 1,
  usage: 2,
  /** There is no such deploy or run. */
  missing: 3,
  /** The token is not valid, or may not do this. */
  notAllowed: 4,
  /** The server could not be reached, or what answers is no Cannery. */
  unreachable: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
