/** Protocols that git must not speak, and an address of each for a folder and the file that a program would leave. */
export const refusedProtocols: readonly (readonly [string, (folder: string, trace: string) => string])[] = [
  ['ext', (_folder, trace) => `ext::touch ${trace}`],
  ['file', (folder) => `file://${folder}/other`],
  ['http', () => 'http://127.0.0.1:1/a/b.git'],
  ['git', () => 'git://127.0.0.1:1/a/b.git'],
  ['ssh', () => 'ssh://127.0.0.1:1/a/b.git'],
];
