/** How the first load of one of the two lists of the canisters page went. */
export type LoadState = 'loading' | 'loaded' | 'failed';

/** The one toast for the first load of canisters and deploys, or undefined while it runs or when it went well. */
export function loadFailureText(canisters: LoadState, deploys: LoadState): string | undefined {
  if (canisters === 'loading' || deploys === 'loading') return undefined;
  if (canisters === 'failed' && deploys === 'failed') return 'Error while fetching caniser & deploy details';
  if (canisters === 'failed') return 'Error while fetching canister details';
  if (deploys === 'failed') return 'Error while fetching deploy details';
  return undefined;
}
