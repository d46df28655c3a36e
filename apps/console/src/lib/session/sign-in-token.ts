/** Where a sign-in token may stand, and the address without it. */
export interface HandedToken {
  readonly token: string | undefined;
  /** Path and query without the token. */
  readonly cleaned: string;
}

/** Reads the token that a sign-in hands over as query parameter of /login. */
export function readSignInToken(location: {
  readonly pathname: string;
  readonly search: string;
}): HandedToken {
  const query = new URLSearchParams(location.search);
  const onLogin = location.pathname.replace(/\/$/, '') === '/login';
  const token = onLogin ? (query.get('token') ?? undefined) : undefined;
  if (onLogin) query.delete('token');
  const rest = query.toString();
  return {
    token: token || undefined,
    cleaned: rest === '' ? location.pathname : `${location.pathname}?${rest}`,
  };
}
