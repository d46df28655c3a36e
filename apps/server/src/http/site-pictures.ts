import { API_BASE } from '../config/config.ts';

/** Where the pictures of websites of deploys are served, those of canisters, and those of dapps. */
export const PICTURE_PATH = `${API_BASE}/site-pictures`;
export const TAKEN_PICTURE_PATH = `${API_BASE}/canister-pictures`;
export const DAPP_PICTURE_PATH = `${API_BASE}/dapp-pictures`;

/** The console's origin as browsers see it. */
interface Origin {
  readonly publicUrl: string;
}

/** Where browsers find the picture of a website; another run has another address. */
export function pictureAddress({ publicUrl }: Origin, canisterId: string, instanceId: string): string {
  return `${publicUrl}${PICTURE_PATH}/${canisterId}?v=${instanceId}`;
}

/** Where browsers find the picture of a canister; nobody guesses the address, and another picture has another one. */
export function takenPictureAddress({ publicUrl }: Origin, canisterId: string, digest: string): string {
  return `${publicUrl}${TAKEN_PICTURE_PATH}/${canisterId}/${digest}`;
}

/** The same of a dapp. */
export function dappPictureAddress({ publicUrl }: Origin, dappId: string, digest: string): string {
  return `${publicUrl}${DAPP_PICTURE_PATH}/${dappId}/${digest}`;
}
