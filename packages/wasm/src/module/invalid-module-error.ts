/** The bytes are not a module this network can run. The message says why, in words meant for the person who installs it. */
export class InvalidModuleError extends Error {
  override readonly name = 'InvalidModuleError';
}
