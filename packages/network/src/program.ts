/** The program of the command line, for who runs a network in a separate process. */
export const program = new URL('./cli.ts', import.meta.url);

/**
 * The environment of the process that runs it. glibc goes about buffers in its own way there, whatever its starter wants for itself: to
 * map those of large pages takes a quarter of the throughput (decision 0094).
 */
export function programEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, MALLOC_MMAP_THRESHOLD_: undefined };
}
