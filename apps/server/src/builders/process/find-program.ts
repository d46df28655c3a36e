import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The program of that name on a search path, or null. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter((part) => part.startsWith('/'))) {
    const file = join(folder, name);
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return file;
  }
  return null;
}
