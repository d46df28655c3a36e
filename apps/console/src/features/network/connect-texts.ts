import type { EmbeddedNetwork } from '@cannery/contract';

type Place = Pick<EmbeddedNetwork, 'addresses'>;

const addressOf = ({ addresses }: Place): string => addresses[0] ?? '';

/** The part of `icp.yaml` that names the network. */
export function icpText(network: Place): string {
  return [
    'networks:',
    '  - name: cannery',
    '    mode: connected',
    `    url: ${addressOf(network)}`,
    '    root-key: fetch',
  ].join('\n');
}

/** The network in the `networks.json` of dfx. */
export function dfxText(network: Place): string {
  return JSON.stringify({ cannery: { providers: [addressOf(network)], type: 'ephemeral' } }, null, 2);
}
