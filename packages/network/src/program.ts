/** The program of the command line, for who runs a network in a separate process. */
export const program = new URL('./cli.ts', import.meta.url);
