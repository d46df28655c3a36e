/** Postgres refuses to run as root; inside a user namespace the same files belong to an ordinary user. */
export function asOrdinaryUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['unshare', '-U', '--map-user=1000', '--map-group=1000', '--', ...command];
}

/** What programs of Postgres see of the server's environment. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' };
}

/** Words of Postgres for a folder that another server, or what is left of one, still uses. */
export function isHeld(output: string): boolean {
  return output.includes('lock file') || output.includes('shared memory block');
}

/** The embedded database cannot run here; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
