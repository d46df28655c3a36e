import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a command of the operator (a file of `src/operator`) on a data folder, as an operator does; without a line of the security log unless
 * the settings say otherwise.
 */
export function runOperatorCommand(
  name: string,
  dataDir: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const file = fileURLToPath(new URL(`../../src/operator/${name}.ts`, import.meta.url));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      { env: { ...process.env, SECURITY_LOG: 'off', ...settings, DATA_DIR: dataDir } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}
