// Types of the management canister's methods, for TypeScript and for the codec, made from its .did text.
import { parseProgram } from '../packages/candid/src/index.ts';
import type { FuncNode, MethodNode, TypeNode } from '../packages/candid/src/types/ast.ts';

const PRIMITIVES: Readonly<Record<string, readonly [codec: string, typescript: string]>> = {
  null: ['IDL.Null', 'null'],
  bool: ['IDL.Bool', 'boolean'],
  text: ['IDL.Text', 'string'],
  principal: ['IDL.Principal', 'Principal'],
  reserved: ['IDL.Reserved', 'unknown'],
  nat: ['IDL.Nat', 'bigint'],
  nat32: ['IDL.Nat32', 'number'],
  nat64: ['IDL.Nat64', 'bigint'],
  int32: ['IDL.Int32', 'number'],
  int64: ['IDL.Int64', 'bigint'],
  float32: ['IDL.Float32', 'number'],
  float64: ['IDL.Float64', 'number'],
};

/** A type as both languages write it. */
interface Written {
  readonly codec: string;
  readonly typescript: string;
}

/** Writes types; those that have names are referred to by them. */
class TypeWriter {
  readonly #names = new Set<string>();

  /** From now on the name can be used. */
  define(name: string): void {
    this.#names.add(name);
  }

  /** @throws Error for what the management canister does not use, and for a name that is not defined before */
  write(type: TypeNode, indent = ''): Written {
    switch (type.kind) {
      case 'blob':
        return { codec: 'IDL.Vec(IDL.Nat8)', typescript: 'Uint8Array' };
      case 'primitive': {
        const [codec, typescript] = PRIMITIVES[type.name] ?? [];
        if (codec === undefined || typescript === undefined) throw new Error(`No way to write ${type.name}.`);
        return { codec, typescript };
      }
      case 'name':
        if (!this.#names.has(type.name)) throw new Error(`${type.name} is used before it is defined.`);
        return { codec: type.name, typescript: `IcTypes['${type.name}']` };
      case 'opt': {
        const inner = this.write(type.inner, indent);
        return { codec: `IDL.Opt(${inner.codec})`, typescript: `[] | [${inner.typescript}]` };
      }
      case 'vec': {
        const inner = this.write(type.inner, indent);
        const isSimple = /^[\w.[\]']+$/.test(inner.typescript);
        return {
          codec: `IDL.Vec(${inner.codec})`,
          typescript: isSimple ? `${inner.typescript}[]` : `Array<${inner.typescript}>`,
        };
      }
      case 'record':
      case 'variant':
        return this.#fields(type, indent);
      case 'func':
        return { codec: this.#func(type, indent), typescript: '[Principal, string]' };
      case 'service':
        throw new Error('No way to write a service.');
    }
  }

  #fields(type: TypeNode & { readonly kind: 'record' | 'variant' }, indent: string): Written {
    const deeper = `${indent}  `;
    const fields = type.fields.map(({ label, type: inner }) => {
      if (label.name === undefined) throw new Error('A field has no name.');
      return { name: label.name, ...this.write(inner, deeper) };
    });
    const codec = fields.map((field) => `${deeper}${field.name}: ${field.codec},\n`).join('');
    const isRecord = type.kind === 'record';
    return {
      codec: `IDL.${isRecord ? 'Record' : 'Variant'}({\n${codec}${indent}})`,
      typescript: isRecord
        ? `{\n${fields.map((field) => `${deeper}${field.name}: ${field.typescript};\n`).join('')}${indent}}`
        : fields.map((field) => `{ ${field.name}: ${field.typescript} }`).join(' | '),
    };
  }

  #func({ args, results, mode }: FuncNode, indent: string): string {
    const list = (types: readonly { readonly type: TypeNode }[]): string =>
      `[${types.map(({ type }) => this.write(type, indent).codec).join(', ')}]`;
    return `IDL.Func(${list(args)}, ${list(results)}, ${mode === undefined ? '[]' : `['${mode}']`})`;
  }

  /** Argument and result of a method. @throws Error for one with several */
  method({ name, type }: MethodNode): { readonly arg: Written; readonly result: Written } {
    if (type.kind !== 'func' || type.args.length > 1 || type.results.length > 1)
      throw new Error(`${name} does not have one argument and one result at most.`);
    const only = (types: FuncNode['args']): Written => {
      const [first] = types;
      return first === undefined
        ? { codec: 'undefined', typescript: 'undefined' }
        : this.write(first.type, '    ');
    };
    return { arg: only(type.args), result: only(type.results) };
  }
}

/** The module of types for a .did text whose service has methods with one argument and one result at most. */
export function typesModule(did: string): string {
  const { types, actor } = parseProgram(did);
  if (actor?.type.kind !== 'service') throw new Error('The text has no service.');
  const writer = new TypeWriter();
  const named = types.map(({ name, type }) => {
    const written = { name, ...writer.write(type, '  ') };
    writer.define(name);
    return written;
  });
  const methods = actor.type.methods.map((method) => ({ name: method.name, ...writer.method(method) }));
  const lines = (texts: readonly string[]): string => texts.map((text) => `  ${text}\n`).join('');
  const outdented = (text: string): string => text.replaceAll('\n  ', '\n');
  return `// Made from ic.did by scripts/check-ic-did.ts --write.
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Values of the named types of ic.did. */
export interface IcTypes {
${lines(named.map(({ name, typescript }) => `${name}: ${typescript};`))}}

/** Argument and result of each method of the management canister. */
export interface IcMethods {
${lines(methods.map(({ name, arg, result }) => `${name}: {\n    arg: ${arg.typescript};\n    result: ${result.typescript};\n  };`))}}

${named.map(({ name, codec }) => `const ${name} = ${outdented(codec)};\n`).join('')}
/** The named types of ic.did. */
export const icTypes = {
${lines(named.map(({ name }) => `${name},`))}};

/** Types of argument and result of each method; undefined where it has none. */
export const icMethods: Readonly<
  Record<keyof IcMethods, { readonly arg: IDL.Type | undefined; readonly result: IDL.Type | undefined }>
> = {
${lines(methods.map(({ name, arg, result }) => `${name}: {\n    arg: ${arg.codec},\n    result: ${result.codec},\n  },`))}};
`;
}
