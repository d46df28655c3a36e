import type { Config } from '../config/config.ts';

/** What the operator should know at the start of a server that uses another network than the embedded one. */
export function describeNetwork(
  { icUrl, isMainnet, cyclesLedger }: Pick<Config, 'icUrl' | 'isMainnet' | 'cyclesLedger'>,
  principal: string,
): string[] {
  if (icUrl === undefined) return [];
  const kind = isMainnet ? 'mainnet' : 'local network';
  const funding =
    cyclesLedger === undefined
      ? 'cycles come from nothing'
      : `the cycles ledger ${cyclesLedger} pays for canisters`;
  return [`Network: ${icUrl} (${kind}; ${funding})`, `Principal of this console: ${principal}`];
}
