/** Characters that URL parsers drop or turn around, so that a text means another address than it seems to. */
const misleading = /[\\\p{Cc}\p{Cf}\p{Z}]/u;
const MAX_LENGTH = 2_000;

/**
 * The path, query and fragment of an address of this very origin; undefined for everything else: other origins in any
 * spelling (`//host`, `/\host`, `https:`), and texts with control characters.
 * @param address a path that starts with '/'
 */
export function innerPath(address: string | null | undefined, origin: string): string | undefined {
  if (!address?.startsWith('/') || address.length > MAX_LENGTH || misleading.test(address)) return undefined;
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  // Dots may be gone now, and what is left begin with '//'.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
