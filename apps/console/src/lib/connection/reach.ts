/** What a proxy answers when the service behind it does not. */
const OF_PROXY = [502, 503, 504];

/**
 * Whether an answer is of a proxy before the service, and not of the service, which says what is wrong in JSON.
 * @param isJson whether the answer is in that form
 */
export function isOfProxy(status: number, isJson: boolean): boolean {
  return OF_PROXY.includes(status) && !isJson;
}

interface ReachOptions {
  readonly token?: string | undefined;
  readonly mode?: RequestMode;
}

/**
 * Asks for the head of what costs the service nothing, its public settings. Any answer of it counts, a refusal as well.
 * @param base address of the API
 * @param options.token what the question carries, as every call to the API does; a service of another origin is asked without
 * @param options.mode of a service of another origin it is enough that anything answers: what it allows to be read is its own affair
 * @returns whether it has answered in time; never rejects
 */
export async function reach(
  base: string,
  timeoutMs: number,
  { token, mode = base.startsWith('/') ? 'same-origin' : 'no-cors' }: ReachOptions = {},
): Promise<boolean> {
  const isSimple = token === undefined || mode === 'no-cors';
  try {
    const { type, status, headers } = await fetch(`${base}/config`, {
      method: 'HEAD',
      mode,
      headers: isSimple ? {} : { authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return type === 'opaque' || !isOfProxy(status, headers.get('content-type')?.includes('json') === true);
  } catch {
    return false;
  }
}
