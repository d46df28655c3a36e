import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { StartError } from '../../errors.ts';

/**
 * Writes one file of the usual certificates and the operator's, since git reads one file only.
 * @returns its path, or undefined where the operator names none: git then has its own
 * @throws StartError when the operator's file cannot be read
 */
export async function makeCertificateFile(options: {
  caFile: string | undefined;
  dataDir: string;
}): Promise<string | undefined> {
  const { caFile, dataDir } = options;
  if (caFile === undefined) return undefined;
  const given = await readFile(caFile, 'utf8').catch((cause: unknown) => {
    throw new StartError(`GIT_CA_FILE is ${caFile}, which cannot be read.`, { cause });
  });
  if (!given.includes('-----BEGIN CERTIFICATE-----')) {
    throw new StartError(`GIT_CA_FILE is ${caFile}, which holds no certificate in PEM form.`);
  }
  const path = join(dataDir, 'git-certificates.pem');
  await writeFile(path, [...getCACertificates('default'), given, ''].join('\n'), { mode: 0o600 });
  return path;
}
