import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { EMBEDDED_CLIENT_ID, PROVIDER_PATH } from '../../src/identity/embedded-provider.ts';

const SECRET = 'of-the-walk';

/** An identity provider as operators have it elsewhere, and what they write down of it. */
export interface SignInElsewhere {
  /** Lines for the settings of a server. */
  readonly settings: string;
  /** The client secret. */
  readonly secret: string;
  stop(): void;
}

/** Starts one for the servers of these addresses. */
export async function startSignIn(port: number, servers: readonly string[]): Promise<SignInElsewhere> {
  const base = `http://localhost:${port}`;
  const program = fileURLToPath(new URL('../roles/machines/identity-provider.ts', import.meta.url));
  const redirects = servers.map((url) => `${url}/api/auth/google/callback`);
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, BASE: base, PORT: String(port), SECRET, REDIRECT: redirects.join(',') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    settings: `OIDC_ISSUER=${base}${PROVIDER_PATH}\nOIDC_CLIENT_ID=${EMBEDDED_CLIENT_ID}\n`,
    secret: SECRET,
    stop: () => void child.kill(),
  };
}
