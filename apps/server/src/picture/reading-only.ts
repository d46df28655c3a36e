/**
 * Options of Node with which a program reads files and its input, and writes its output: it changes no file, opens no connection and
 * starts no program. An older Node, which Cannery does not bring, may know less of them: 24 lets it open connections.
 */
export const readingOnly: readonly string[] = process.allowedNodeEnvironmentFlags.has('--permission')
  ? ['--permission', '--allow-fs-read=*']
  : [];
