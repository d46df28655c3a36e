import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartError, textOf } from '../errors.ts';

/** The key of the app in the form that its client takes. @throws StartError when the file has none */
export async function loadPrivateKey(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartError(`GITHUB_PRIVATE_KEY_FILE ${path} cannot be read: ${textOf(error)}`);
  });
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    // Said below.
  }
  throw new StartError(
    `GITHUB_PRIVATE_KEY_FILE ${path} holds no RSA private key. Generate one on the page of the GitHub App and name the .pem file.`,
  );
}
