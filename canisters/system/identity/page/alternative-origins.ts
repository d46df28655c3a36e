import { fieldsOf } from './requests.ts';

/** The site whose principal is wanted does not allow it to the asking one; the message says why. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

const PATH = '/.well-known/ii-alternative-origins';
/** As many as Internet Identity reads. */
const MAX_ORIGINS = 10;
const MAX_CHARACTERS = 10_000;
const TIMEOUT_MS = 10_000;
/** Answers there are not certified: whoever is in between could write the list. */
const RAW_HOST = /\.raw\./;

/**
 * Checks that the site at `derivationOrigin` allows `origin` to have its principals, by the public rule: it lists it in
 * `/.well-known/ii-alternative-origins`. Throws `DerivationError`.
 */
export async function checkDerivation(derivationOrigin: string, origin: string): Promise<void> {
  if (derivationOrigin === origin) return;
  if (RAW_HOST.test(new URL(derivationOrigin).host)) {
    throw new DerivationError(
      `${derivationOrigin} serves what is not certified, so its list cannot be trusted.`,
    );
  }
  const listed = await listOf(derivationOrigin);
  if (!listed.includes(origin)) {
    throw new DerivationError(`${derivationOrigin} does not list ${origin} in ${PATH}.`);
  }
}

async function listOf(derivationOrigin: string): Promise<readonly unknown[]> {
  let text: string;
  try {
    const response = await fetch(`${derivationOrigin}${PATH}`, {
      credentials: 'omit',
      // Another place would answer for the site.
      redirect: 'error',
      cache: 'no-store',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw new DerivationError(`${derivationOrigin} has no ${PATH}.`);
    text = await bounded(response);
  } catch (error) {
    if (error instanceof DerivationError) throw error;
    throw new DerivationError(`${PATH} of ${derivationOrigin} could not be read.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DerivationError(`${derivationOrigin} has no ${PATH} that is JSON.`);
  }
  const listed = fieldsOf(value)['alternativeOrigins'];
  if (!Array.isArray(listed) || listed.length > MAX_ORIGINS) {
    throw new DerivationError(
      `${PATH} of ${derivationOrigin} must list at most ${MAX_ORIGINS} alternativeOrigins.`,
    );
  }
  return listed;
}

async function bounded(response: Response): Promise<string> {
  let text = '';
  const parts = response.body?.pipeThrough(new TextDecoderStream());
  for await (const part of (parts ?? []) as AsyncIterable<string>) {
    text += part;
    if (text.length > MAX_CHARACTERS) throw new DerivationError(`${PATH} is too long.`);
  }
  return text;
}
