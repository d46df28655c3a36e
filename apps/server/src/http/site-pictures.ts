import { API_BASE } from '../config/config.ts';

/** Where the pictures of websites are served. */
export const PICTURE_PATH = `${API_BASE}/site-pictures`;

/** Where browsers find the picture of a website; another run has another address. */
export function pictureAddress(
  { publicUrl }: { readonly publicUrl: string },
  canisterId: string,
  instanceId: string,
): string {
  return `${publicUrl}${PICTURE_PATH}/${canisterId}?v=${instanceId}`;
}
