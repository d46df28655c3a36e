import { z } from 'zod';

/** Names of variables: what every shell takes. */
const VARIABLE_NAME = /^[A-Za-z_]\w{0,99}$/;
/** Variables that a build itself sets, and could not run without. */
const RESERVED_VARIABLES = /^(?:PATH|HOME|PWD|OLDPWD|SHELL|USER|LOGNAME|TMPDIR|IFS|CANNERY_.*)$/;

/** Whether the commands of a build may have a variable of this name. */
export function isVariableName(variable: string): boolean {
  return VARIABLE_NAME.test(variable) && !RESERVED_VARIABLES.test(variable);
}

/** Characters; a shorter secret could not be hidden in a log without hiding ordinary words. */
export const SHORTEST_SECRET = 8;
/** Most variables of a deploy. */
export const VARIABLES_LIMIT = 100;

/** A variable of the commands of a build. */
export const buildVariable = z.object({
  name: z.string(),
  /** Null for a secret, which is never answered. */
  value: z.string().nullable(),
  secret: z.boolean(),
});

/** A variable as it is saved. */
export const givenVariable = z.object({
  name: z.string().refine(isVariableName, { message: 'Invalid name of a variable' }),
  /** Absent to keep the value that it has. */
  value: z.string().max(10_000).optional(),
  /** Whether its value is kept sealed, never answered, and hidden in logs. */
  secret: z.boolean().default(false),
});
export type GivenVariable = z.input<typeof givenVariable>;

/** A folder of the repository, by its path from there. */
export function isRootDirectory(directory: string): boolean {
  const path = directory.trim();
  const isPlain = !path.startsWith('/') && !path.includes('\\') && path.length <= 500;
  return isPlain && !path.split('/').includes('..');
}

/** The folder of a project in a repository. */
export const rootDirectory = z.string().refine(isRootDirectory, { message: 'Invalid root directory' });
