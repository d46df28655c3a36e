import type { IDL } from '@icp-sdk/core/candid';
import { CandidError, CandidTypeError } from '../errors.ts';
import type { ArgNode, FuncMode, FuncNode, Program } from './ast.ts';
import { formatArgs, formatNode, formatSignature } from './format.ts';
import { printName } from './label.ts';
import { parseInitProgram, parseProgram } from './parser.ts';
import { TypeConverter } from './to-idl.ts';

/** How a method is called: without a mode it is an update. */
export type MethodMode = 'update' | FuncMode;

/** One method of a canister. */
export interface ServiceMethod {
  readonly name: string;
  readonly mode: MethodMode;
  readonly args: IDL.Type[];
  readonly results: IDL.Type[];
  /** Names of the arguments, in order; undefined where the text gives none. */
  readonly argNames: (string | undefined)[];
  /** Types of the arguments as written, with the author's type names. */
  readonly argTexts: string[];
  /** `(args) -> (results) mode` as Candid text. */
  readonly signature: string;
  /** The comment above the method, one entry per line. */
  readonly docs: readonly string[];
}

/** The types a canister is installed with. */
export interface InitArgs {
  readonly types: IDL.Type[];
  readonly names: (string | undefined)[];
  /** The list as Candid text. */
  readonly text: string;
}

/** A .did file turned into types that encode and decode. */
export interface ParsedService {
  /** In the order of the text. */
  readonly methods: ServiceMethod[];
  /** Undefined when the text says nothing about install arguments. */
  readonly initArgs?: InitArgs;
  /** The definitions of the text, in order. */
  readonly types: { readonly name: string; readonly text: string }[];
  /** Names of composite types, for `formatType`. */
  readonly typeNames: ReadonlyMap<IDL.Type, string>;
}

/**
 * Parses a .did text into the methods of its service.
 * Throws CandidSyntaxError or CandidTypeError with line and column, CandidError when there is no service.
 */
export function parseService(did: string): ParsedService {
  const program = parseProgram(did);
  if (!program.actor) throw new CandidError('This Candid text defines types, but no service');
  const { init } = program.actor;
  const converter = new TypeConverter(program.types);
  return {
    methods: readMethods(program, converter),
    ...(init ? { initArgs: toInitArgs(init, converter) } : {}),
    types: program.types.map(({ name, type }) => ({ name, text: formatNode(type) })),
    typeNames: converter.names,
  };
}

/**
 * Parses install arguments: either the `candid:args` metadata of a canister (`type ...; (nat, text)`) or a
 * whole .did text, whose service then names them. Throws CandidSyntaxError or CandidTypeError.
 */
export function parseInitArgs(text: string): InitArgs {
  const { types, args } = parseInitProgram(text);
  return toInitArgs(args ?? [], new TypeConverter(types));
}

function toInitArgs(args: readonly ArgNode[], converter: TypeConverter): InitArgs {
  return {
    types: args.map(({ type }) => converter.convert(type)),
    names: args.map(({ name }) => name),
    text: formatArgs(args),
  };
}

function readMethods({ actor }: Program, converter: TypeConverter): ServiceMethod[] {
  if (!actor) return [];
  const service = actor.type.kind === 'name' ? converter.definitionOf(actor.type) : actor.type;
  if (service.kind !== 'service') throw new CandidTypeError('this type is not a service', actor.type);
  // Converting the whole service checks its method types too.
  converter.convert(service);
  return service.methods.map(({ name, type, docs }): ServiceMethod => {
    const func: FuncNode = type.kind === 'func' ? type : functionOf(converter.definitionOf(type), name, type);
    return {
      name,
      mode: func.mode ?? 'update',
      args: func.args.map((arg) => converter.convert(arg.type)),
      results: func.results.map((result) => converter.convert(result.type)),
      argNames: func.args.map((arg) => arg.name),
      argTexts: func.args.map((arg) => formatNode(arg.type)),
      signature: formatSignature(func),
      docs,
    };
  });
}

function functionOf(
  node: ReturnType<TypeConverter['definitionOf']>,
  name: string,
  at: { readonly line: number; readonly column: number },
): FuncNode {
  if (node.kind !== 'func') throw new CandidTypeError(`the method ${name} must be of a function type`, at);
  return node;
}

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
