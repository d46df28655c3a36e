import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Opens a file to read it. @throws Error of the disk, ELOOP for a link, which is not followed */
export function openPlain(path: string | Buffer): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}
