import { join } from 'node:path';

/** Names in the directory of a store. */
export const storePaths = {
  index: (directory: string) => join(directory, 'index.sqlite'),
  logs: (directory: string) => join(directory, 'log'),
  pages: (directory: string) => join(directory, 'pages'),
  blobs: (directory: string) => join(directory, 'blobs'),
  derived: (directory: string) => join(directory, 'derived'),
  compiled: (directory: string) => join(directory, 'compiled'),
} as const;

/** Everything a store keeps in its directory. */
export const STORE_NAMES = /^(index\.sqlite.*|owner\..*|log|pages|blobs|derived|compiled|control\.sock)$/;
