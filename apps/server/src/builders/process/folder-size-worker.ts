import { parentPort } from 'node:worker_threads';
import type { SizeAnswer, SizeRequest } from './folder-size.ts';
import { type FolderSize, walkFolder } from './walk-folder.ts';

function sizeOf({ folder, most }: SizeRequest): FolderSize | null {
  try {
    return walkFolder(folder, most);
  } catch {
    return null;
  }
}

parentPort?.on('message', (request: SizeRequest) => {
  parentPort?.postMessage({ id: request.id, size: sizeOf(request) } satisfies SizeAnswer);
});
