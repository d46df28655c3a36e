import { totalmem } from 'node:os';

/** MiB that this machine has, or the container that the server runs in. */
const MACHINE_MB = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1024 ** 2;

/**
 * MiB of a build where nothing is set: a sixth of the machine's, since other builds and the server are beside it. Most projects take up to
 * 1,700; bundlers of workspaces, and webpack 5 with large frontends, have taken more than 2,048 (docs/projects.md).
 */
export function buildMemory(machineMegabytes: number): number {
  return Math.floor(Math.min(4_096, Math.max(2_048, machineMegabytes / 6)));
}

export const BUILD_MEMORY_MB = buildMemory(MACHINE_MB);
