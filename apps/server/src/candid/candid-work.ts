import {
  breakingChanges,
  CandidError,
  checkEncoded,
  checkValueText,
  encodeText,
  formatTypeList,
  initService,
  interfaceChanges,
  parseInitArgs,
  parseService,
  parseValues,
  readEncoded,
  type ServiceMethod,
} from '@cannery/candid';

/** What a module says of its install arguments. */
export interface ArgumentTypes {
  readonly section: 'candid:args' | 'candid:service';
  readonly text: string;
  /** The interface of a module whose arguments are said in `candid:args`. */
  readonly service?: string;
}

/**
 * The text of `candid:args` with the definitions of the types that it names: the compiler of Motoko writes those only into
 * the interface.
 */
function withDefinitions(args: string, service: string | undefined): string {
  if (service === undefined) return args;
  try {
    parseInitArgs(args);
    return args;
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    const definitions = parseService(service).types.map(({ name, text }) => `type ${name} = ${text};`);
    return `${definitions.join('\n')}\n${args}`;
  }
}

type Types = ReturnType<typeof parseInitArgs>['types'];

/** Undefined where the interface says nothing about install arguments. */
function typesOf({ section, text, service }: ArgumentTypes): Types | undefined {
  if (section === 'candid:service') return parseService(text).initArgs?.types;
  return parseInitArgs(withDefinitions(text, service)).types;
}

/** Characters of a value that is answered as text. */
const ANSWERED = 1_000;

function methodOf(service: string, name: string): ServiceMethod {
  const method = parseService(service).methods.find((one) => one.name === name);
  if (method === undefined) throw new CandidError(`the interface has no method ${name}`);
  return method;
}

/**
 * All that is done with Candid texts of users. Each throws CandidError, and none needs anything but its arguments, so
 * that it can be done in a thread.
 */
export const candidWork = {
  breakingChanges,
  /** The install arguments of `candid:args`, or of a full interface, as a service of them. */
  initService: (text: string, service?: string) => initService(withDefinitions(text, service)),
  interfaceChanges,
  /** Encodes arguments written as text; undefined where their types are not known. */
  encode(declared: ArgumentTypes, text: string): Uint8Array | undefined {
    const types = typesOf(declared);
    return types === undefined ? undefined : encodeText(text, types);
  },
  /** The types of the install arguments of a full interface as one line, without names that are explained elsewhere. */
  initTypes(service: string): string {
    const { initArgs, typeNames } = parseService(service);
    return formatTypeList(initArgs?.types ?? [], typeNames);
  },
  /** Encodes install arguments written as text for a full interface; one that names none takes none. */
  encodeInit(service: string, text: string): Uint8Array {
    return encodeText(text, parseService(service).initArgs?.types ?? []);
  },
  /** Whether an interface has a method that is called as a query. */
  hasQuery(service: string, name: string): boolean {
    return parseService(service).methods.some((one) => one.name === name && one.mode !== 'update');
  },
  /** Reads Candid text whose types are not known. */
  checkText: checkValueText,
  /** How a method is called, with its arguments encoded, and whether what is expected of it can be its answer. */
  prepareCall(
    service: string,
    call: { method: string; argument: string; expected: string },
  ): { mode: ServiceMethod['mode']; arg: Uint8Array } {
    const { mode, args, results } = methodOf(service, call.method);
    if (call.expected.trim() !== '') parseValues(call.expected, results);
    return { mode, arg: encodeText(call.argument, args) };
  },
  /** What a method has answered, as the beginning of its Candid text, and whether that is what is expected of it. */
  readReply(
    service: string,
    { method, expected, reply }: { method: string; expected: string; reply: Uint8Array },
  ): { text: string; isExpected: boolean } {
    const { results } = methodOf(service, method);
    const text = readEncoded(reply, results);
    const isExpected = expected.trim() === '' || text === readEncoded(encodeText(expected, results), results);
    return { text: text.slice(0, ANSWERED), isExpected };
  },
  /** Checks encoded arguments, where their types are known. */
  check(declared: ArgumentTypes, argument: Uint8Array): void {
    const types = typesOf(declared);
    if (types !== undefined) checkEncoded(argument, types);
  },
};

export type CandidWork = typeof candidWork;

/** One piece of work for the thread. */
export interface CandidRequest {
  readonly name: keyof CandidWork;
  readonly input: readonly unknown[];
}

/** Does one piece of work. @throws CandidError */
export function doCandidWork({ name, input }: CandidRequest): unknown {
  try {
    return (candidWork[name] as (...args: readonly unknown[]) => unknown)(...input);
  } catch (error) {
    // Types and values are followed by recursion; what ends the stack is deeper than anything that is meant.
    if (error instanceof RangeError) throw new CandidError('it is nested too deeply');
    throw error;
  }
}
