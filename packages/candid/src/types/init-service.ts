import { formatArgs, formatNode } from './format.ts';
import { printName } from './label.ts';
import { parseInitProgram } from './parser.ts';

/**
 * A .did text whose service has no methods and takes the install arguments that a text names: the `candid:args`
 * metadata of a canister (`type ...; (nat, text)`), or a whole .did text. Undefined when the service of that says
 * nothing about install arguments.
 * Throws CandidSyntaxError or CandidTypeError.
 */
export function initService(text: string): string | undefined {
  const { types, args } = parseInitProgram(text);
  if (args === undefined) return undefined;
  const definitions = types.map(({ name, type }) => `type ${printName(name)} = ${formatNode(type)};\n`);
  return `${definitions.join('')}service : ${formatArgs(args)} -> {}`;
}
