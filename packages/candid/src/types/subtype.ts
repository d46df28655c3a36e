import { IDL } from '@icp-sdk/core/candid';
import { CandidError } from '../errors.ts';
import { formatType } from './format.ts';
import { keyId, printKey, printName } from './label.ts';
import { unwrap } from './to-idl.ts';

/** Why values of one type do not fit where another is expected. */
export interface Misfit {
  /** Parts that lead to the place, outermost first, such as `argument 1` and `field owner`. */
  readonly path: readonly string[];
  /** What is wrong there, without a full stop. */
  readonly problem: string;
}

/** Pairs of types that one comparison may look at, and how deep they may lie in each other. */
const MAX_PAIRS = 100_000;
const MAX_DEPTH = 500;
const LONGEST_TYPE = 80;

/**
 * Decides subtyping as the Candid specification defines it ("Subtyping"), and tells in words where it fails. Recursive
 * types are compared coinductively: a pair that is being compared counts as fitting inside itself.
 */
export class SubtypeCheck {
  readonly #names: ReadonlyMap<IDL.Type, string>;
  /** Pairs found to fit, or taken to until the contrary is found. */
  readonly #assumed = new Map<IDL.Type, Set<IDL.Type>>();
  #pairs = 0;
  #depth = 0;

  /** @param names names of composite types, for the words */
  constructor(names: ReadonlyMap<IDL.Type, string>) {
    this.#names = names;
  }

  /**
   * Where `sent` is not a subtype of `expected`; undefined when it is one.
   * Throws CandidError when the types are too large or too deep to compare.
   */
  misfit(sent: IDL.Type, expected: IDL.Type): Misfit | undefined {
    return this.#settled(this.#compare(sent, expected));
  }

  /** As `misfit`, for the types of a list of arguments or results. */
  listMisfit(
    sent: readonly IDL.Type[],
    expected: readonly IDL.Type[],
    part: 'argument' | 'result',
  ): Misfit | undefined {
    return this.#settled(this.#list(sent, expected, part));
  }

  /** What was assumed while a misfit was found may rest on it. */
  #settled(misfit: Misfit | undefined): Misfit | undefined {
    if (misfit) this.#assumed.clear();
    return misfit;
  }

  #compare(outerSent: IDL.Type, outerExpected: IDL.Type): Misfit | undefined {
    const [sent, expected] = [unwrap(outerSent), unwrap(outerExpected)];
    const known = this.#assumed.get(sent);
    if (known?.has(expected)) return undefined;
    if (known) known.add(expected);
    else this.#assumed.set(sent, new Set([expected]));
    this.#pairs += 1;
    if (this.#pairs > MAX_PAIRS || this.#depth > MAX_DEPTH) {
      throw new CandidError('The types are too large to be compared');
    }
    this.#depth += 1;
    const misfit = this.#rules(sent, expected);
    this.#depth -= 1;
    return misfit;
  }

  #rules(sent: IDL.Type, expected: IDL.Type): Misfit | undefined {
    if (isPermissive(expected) || sent instanceof IDL.EmptyClass) return undefined;
    if (sent instanceof IDL.VecClass && expected instanceof IDL.VecClass) {
      return within('element', this.#compare(sent._type, expected._type));
    }
    if (sent instanceof IDL.RecordClass && expected instanceof IDL.RecordClass) {
      return this.#record(sent, expected);
    }
    if (sent instanceof IDL.VariantClass && expected instanceof IDL.VariantClass) {
      return this.#variant(sent, expected);
    }
    if (sent instanceof IDL.FuncClass && expected instanceof IDL.FuncClass) return this.#func(sent, expected);
    if (sent instanceof IDL.ServiceClass && expected instanceof IDL.ServiceClass) {
      return this.#service(sent, expected);
    }
    const fits =
      (sent instanceof IDL.NatClass && expected instanceof IDL.IntClass) ||
      (sent instanceof IDL.ServiceClass && expected instanceof IDL.PrincipalClass) ||
      (isPlain(sent) && isPlain(expected) && sent.name === expected.name);
    if (fits) return undefined;
    return here(`\`${this.#text(sent)}\` comes where \`${this.#text(expected)}\` is expected`);
  }

  #record(sent: IDL.RecordClass, expected: IDL.RecordClass): Misfit | undefined {
    const fields = byId(sent._fields);
    for (const [key, type] of expected._fields) {
      const field = fields.get(keyId(key));
      const misfit = field
        ? within(`field ${printKey(key)}`, this.#compare(field, type))
        : this.#absent(`field ${printKey(key)}`, type);
      if (misfit) return misfit;
    }
    return undefined;
  }

  #variant(sent: IDL.VariantClass, expected: IDL.VariantClass): Misfit | undefined {
    const cases = byId(expected._fields);
    for (const [key, type] of sent._fields) {
      const known = cases.get(keyId(key));
      if (!known) return here(`the case \`${printKey(key)}\` of the variant is not expected`);
      const misfit = within(`case ${printKey(key)}`, this.#compare(type, known));
      if (misfit) return misfit;
    }
    return undefined;
  }

  #func(sent: IDL.FuncClass, expected: IDL.FuncClass): Misfit | undefined {
    const [is, wanted] = [modeOf(sent), modeOf(expected)];
    if (is !== wanted) return here(`a function of mode ${is} comes where ${wanted} is expected`);
    // Who expects the function sends the arguments, so they go the other way.
    return (
      this.#list(expected.argTypes, sent.argTypes, 'argument') ??
      this.#list(sent.retTypes, expected.retTypes, 'result')
    );
  }

  #service(sent: IDL.ServiceClass, expected: IDL.ServiceClass): Misfit | undefined {
    const methods = new Map<string, IDL.Type>(sent._fields);
    for (const [name, type] of expected._fields) {
      const method = methods.get(name);
      if (!method) return here(`the method \`${printName(name)}\` of the service is missing`);
      const misfit = within(`method ${printName(name)}`, this.#compare(method, type));
      if (misfit) return misfit;
    }
    return undefined;
  }

  /** Lists are compared like records: what comes too much is ignored, what is missing must be optional. */
  #list(
    sent: readonly IDL.Type[],
    expected: readonly IDL.Type[],
    part: 'argument' | 'result',
  ): Misfit | undefined {
    for (const [index, type] of expected.entries()) {
      const name = `${part} ${index + 1}`;
      const given = sent[index];
      const misfit = given ? within(name, this.#compare(given, type)) : this.#absent(name, type);
      if (misfit) return misfit;
    }
    return undefined;
  }

  #absent(name: string, type: IDL.Type): Misfit | undefined {
    const expected = unwrap(type);
    if (isPermissive(expected) || expected instanceof IDL.NullClass) return undefined;
    return here(`${name} of type \`${this.#text(type)}\` is expected, and not optional`);
  }

  #text(type: IDL.Type): string {
    const text = formatType(type, this.#names, true);
    return text.length > LONGEST_TYPE ? `${text.slice(0, LONGEST_TYPE - 1)}…` : text;
  }
}

/** How a function is called, by its annotation. */
function modeOf({ annotations }: Pick<IDL.FuncClass, 'annotations'>): string {
  return annotations.length === 0 ? 'update' : annotations.toSorted().join(' ');
}

/**
 * Types that take every value. For `opt` that is the special rule of the specification: a value that does not fit its
 * content is read as null.
 */
function isPermissive(type: IDL.Type): boolean {
  return type instanceof IDL.OptClass || type instanceof IDL.ReservedClass;
}

/** Types without parts; their name says everything. */
function isPlain(type: IDL.Type): boolean {
  return (
    type instanceof IDL.PrimitiveType &&
    !(type instanceof IDL.EmptyClass) &&
    !(type instanceof IDL.ReservedClass)
  );
}

function byId(fields: readonly [string, IDL.Type][]): Map<number, IDL.Type> {
  return new Map(fields.map(([key, type]) => [keyId(key), type]));
}

function here(problem: string): Misfit {
  return { path: [], problem };
}

function within(part: string, misfit: Misfit | undefined): Misfit | undefined {
  return misfit && { path: [part, ...misfit.path], problem: misfit.problem };
}
