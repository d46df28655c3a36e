import type { EgressHost } from './egress-host.ts';
import type { EgressLimits } from './egress-tunnel.ts';

/** What the server asks of the egress process. */
export type EgressRequest =
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly hosts: readonly EgressHost[];
      readonly limits: EgressLimits;
      readonly at: { readonly socket: string } | { readonly token: string };
    }
  | { readonly kind: 'close'; readonly id: string };

/** What the egress process tells the server. */
export type EgressReport =
  | { readonly kind: 'opened'; readonly id: string; readonly port: number }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string }
  | { readonly kind: 'note'; readonly id: string; readonly text: string };
