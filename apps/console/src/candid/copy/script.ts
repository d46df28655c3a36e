import { chosenOf, fieldsOf, isBlob, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import type { CopiedCall } from './copied-call.ts';
import { quoteScript } from './quote.ts';
import { ScriptTypes } from './script-type.ts';

/** A value of a Candid type as an expression of JavaScript, as the agent library takes it. */
export function scriptValue(outer: IDL.Type, value: unknown): string {
  const type = unwrap(outer);
  if (isBlob(type)) return `Uint8Array.of(${Array.from(value as Iterable<number>).join(', ')})`;
  if (type instanceof IDL.VecClass) {
    const inner: IDL.Type = type._type;
    return list(Array.from(value as Iterable<unknown>, (item) => scriptValue(inner, item)));
  }
  if (type instanceof IDL.OptClass) {
    return list(Array.from(value as Iterable<unknown>, (some) => scriptValue(type._type, some)));
  }
  if (type instanceof IDL.TupleClass) {
    const items = Array.from(value as Iterable<unknown>);
    return list(type._fields.map(([, part], index) => scriptValue(part, items[index])));
  }
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) {
    const record = value as Record<string, unknown>;
    const chosen = type instanceof IDL.VariantClass ? chosenOf(type, record) : undefined;
    const there =
      chosen === undefined ? fieldsOf(type).filter(([key]) => Object.hasOwn(record, key)) : [chosen];
    const fields = there.map(([key, part]) => `[${quoteScript(key)}]: ${scriptValue(part, record[key])}`);
    return `{ ${fields.join(', ')} }`;
  }
  return leaf(value);
}

function list(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}

function leaf(value: unknown): string {
  if (value instanceof Principal) return `Principal.fromText(${quoteScript(value.toText())})`;
  if (typeof value === 'string') return quoteScript(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'boolean') return String(value);
  // A reference to a function is its canister and the name of its method.
  if (Array.isArray(value)) return list(value.map(leaf));
  return 'null';
}

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
