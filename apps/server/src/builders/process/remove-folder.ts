import { rm } from 'node:fs/promises';

/** Removes a folder of the server's, which no tenant has shaped, such as a repository that git has fetched. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
