/** A project file that cannot be read; the message names the file and, where known, the line. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}
