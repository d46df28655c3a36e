import type { Canister, Deploy, DeployInstance } from '@cannery/contract';
import type { Destination } from './entries.ts';

/** What needs more code: a dialog that asks before it acts, or an action of what is not open. */
export type OpenDialog =
  | { readonly kind: 'top-up'; readonly canister: Canister }
  | { readonly kind: 'install'; readonly canister: Canister }
  /** Puts a text into the clipboard. */
  | { readonly kind: 'copy'; readonly text: string; readonly what: string }
  /** Stops it if it runs, else starts it; nothing is asked, as on its page. */
  | { readonly kind: 'toggle'; readonly canister: Canister }
  | { readonly kind: 'roll back'; readonly run: DeployInstance; readonly live: DeployInstance | undefined }
  /** To the newest run that can be gone back to. */
  | { readonly kind: 'roll back deploy'; readonly deploy: Deploy }
  | { readonly kind: 'start run'; readonly deploy: Deploy };

/** What an entry comes to. */
export type Deed = { readonly to: Destination } | { readonly visit: string } | { readonly ask: OpenDialog };

/** Carries out what an entry comes to. */
export interface Doer {
  readonly go: (to: Destination) => void;
  readonly visit: (address: string) => void;
  readonly ask: (dialog: OpenDialog) => void;
}
