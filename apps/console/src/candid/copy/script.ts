import type { CopiedCall } from './copied-call.ts';
import { quoteScript } from './quote-script.ts';
import { ScriptTypes } from './script-type.ts';
import { scriptValue } from './script-value.ts';

/** A call as a module of JavaScript that uses `@icp-sdk/core`. */
export function scriptOf(call: CopiedCall): string {
  const { canisterId, method, values, networkUrl, networkIsLocal, caller } = call;
  const types = new ScriptTypes();
  const func = types.func(method.args, method.results, method.mode === 'update' ? [] : [method.mode]);
  const args = method.args.map((type, index) => scriptValue(type, values[index]));
  const name = quoteScript(method.name);
  const usesPrincipal = args.some((arg) => arg.includes('Principal.fromText('));
  const options = [
    `host: ${quoteScript(networkUrl)}`,
    ...(networkIsLocal ? ['shouldFetchRootKey: true'] : []),
    ...(caller === undefined ? [] : ['identity']),
  ];
  return [
    "import { Actor, HttpAgent } from '@icp-sdk/core/agent';",
    "import { IDL } from '@icp-sdk/core/candid';",
    ...(usesPrincipal ? ["import { Principal } from '@icp-sdk/core/principal';"] : []),
    ...(caller === undefined
      ? []
      : ["import { identity } from './identity.js';", `// The identity whose principal is ${caller}.`]),
    '',
    ...types.statements,
    `const service = () => IDL.Service({ [${name}]: ${func} });`,
    `const agent = await HttpAgent.create({ ${options.join(', ')} });`,
    `const canister = Actor.createActor(service, { agent, canisterId: ${quoteScript(canisterId)} });`,
    `console.log(await canister[${name}](${args.join(', ')}));`,
    '',
  ].join('\n');
}
