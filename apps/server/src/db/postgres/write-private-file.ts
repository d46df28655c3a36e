import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';

/** Puts a file in its place whole, on disk, readable by the server's user only. What stood there is never followed. */
export function writePrivateFile(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, file);
}
