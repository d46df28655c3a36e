import type { Config } from '../config/config.ts';

/** What the operator should know at the start of a server whose canisters cost somebody something, or are elsewhere. */
export function describeNetwork(
  { icUrl, isMainnet, cyclesLedger }: Pick<Config, 'icUrl' | 'isMainnet' | 'cyclesLedger'>,
  principal: string,
): string[] {
  if (icUrl === undefined && cyclesLedger === undefined) return [];
  const kind = isMainnet ? 'mainnet' : 'local network';
  const funding =
    cyclesLedger === undefined
      ? 'cycles come from nothing'
      : `the cycles ledger ${cyclesLedger} pays for canisters`;
  const network = icUrl === undefined ? `embedded (${funding})` : `${icUrl} (${kind}; ${funding})`;
  return [`Network: ${network}`, `Principal of this console: ${principal}`];
}
