const KEY = 'token';

/** The bearer token in local storage; every call reads it again, so that tabs agree. */
export const tokenStore = {
  read(): string | undefined {
    return localStorage.getItem(KEY) ?? undefined;
  },
  write(token: string): void {
    localStorage.setItem(KEY, token);
  },
  clear(): void {
    localStorage.removeItem(KEY);
  },
};
