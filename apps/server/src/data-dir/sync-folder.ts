import { open } from 'node:fs/promises';

/** Makes durable what names a folder has: a file that was renamed into it stays there when the machine stops. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
