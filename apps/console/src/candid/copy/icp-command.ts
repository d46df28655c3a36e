import { printValues } from '@cannery/candid';
import { type CopiedCall, isQuery } from './copied-call.ts';
import { quoteShell } from './quote.ts';

/**
 * A call as a command of icp-cli, for bash and zsh. A caller who is not anonymous is whoever icp-cli is set to.
 * Undefined when the name of the method cannot be given to a program.
 */
export function icpCommand(call: CopiedCall): string | undefined {
  const { method, values, canisterId, networkUrl, networkIsLocal, caller } = call;
  const name = quoteShell(method.name);
  const network = quoteShell(networkUrl);
  const args = quoteShell(printValues(method.args, values, Number.POSITIVE_INFINITY));
  if (name === undefined || network === undefined || args === undefined) return undefined;
  const options = [
    ...(isQuery(method) ? ['--query'] : []),
    `--network ${network} --root-key ${networkIsLocal ? 'fetch' : 'mainnet'}`,
    ...(caller === undefined ? ['--identity anonymous'] : []),
  ];
  // Behind -- a name that begins with a dash is no option.
  return `icp canister call ${options.join(' ')} -- ${canisterId} ${name} ${args}`;
}
