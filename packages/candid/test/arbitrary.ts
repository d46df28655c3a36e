import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import fc from 'fast-check';
import { printName } from '../src/types/label.ts';

const PRIMITIVES = [
  'null',
  'bool',
  'nat',
  'int',
  'nat8',
  'int16',
  'nat64',
  'float32',
  'float64',
  'text',
  'principal',
  'reserved',
  'blob',
];
const NAMES = ['A', 'B', 'C', 'D'];

const label = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('id', 'name', 'owner', 'ok', 'err', 'query', 'a b', 'ü', '😀', '"', '\\', ''),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );

const typeText: () => fc.Arbitrary<string> = () =>
  fc.letrec<{ type: string; func: string }>((tie) => ({
    func: fc
      .tuple(
        fc.array(tie('type'), { maxLength: 3 }),
        fc.array(tie('type'), { maxLength: 2 }),
        fc.constantFrom('', ' query', ' composite_query'),
      )
      .map(([args, results, mode]) => `(${args.join(', ')}) -> (${results.join(', ')})${mode}`),
    type: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...PRIMITIVES),
      fc.constantFrom(...NAMES),
      tie('type').map((inner) => `opt ${inner}`),
      tie('type').map((inner) => `vec ${inner}`),
      fc.array(tie('type'), { maxLength: 3 }).map((parts) => `record { ${parts.join('; ')} }`),
      fields(tie('type')).map((parts) => `record { ${parts.join('; ')} }`),
      fields(tie('type')).map((parts) => `variant { ${parts.join('; ')} }`),
      tie('func').map((func) => `func ${func}`),
    ),
  })).type;

function fields(type: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc
    .uniqueArray(fc.tuple(label(), type), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => entries.map(([name, inner]) => `${printName(name)} : ${inner}`));
}

/** A random .did text: four definitions that may mention one another, and a service that uses them. */
export function didText(): fc.Arbitrary<string> {
  // Every definition is composite, so that no chain of names leads back to itself.
  const definition = typeText().map((inner) => `record { ${inner}; opt ${inner} }`);
  const definitions = fc.tuple(definition, definition, definition, definition);
  const method = fc.tuple(
    label(),
    fc.array(typeText(), { maxLength: 3 }),
    fc.constantFrom('', ' query', ' oneway'),
  );
  const methods = fc.uniqueArray(method, { maxLength: 4, selector: ([name]) => name });
  return fc.tuple(definitions, methods, fc.option(typeText())).map(([types, service, init]) => {
    const heads = types.map((type, index) => `type ${NAMES[index]} = ${type};`).join('\n');
    const lines = service.map(
      ([name, args, mode]) => `  ${printName(name)} : (${args.join(', ')}) -> ()${mode};`,
    );
    return `${heads}\nservice : ${init === null ? '' : `(${init}) -> `}{\n${lines.join('\n')}\n}`;
  });
}

/** A random type together with a value of it, in the form the IDL library decodes. */
export function typedValue(): fc.Arbitrary<{ type: IDL.Type; value: unknown }> {
  return fc.letrec<{ any: { type: IDL.Type; value: unknown } }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf(),
      fc
        .tuple(tie('any'), fc.boolean())
        .map(([{ type, value }, some]) => ({ type: IDL.Opt(type), value: some ? [value] : [] })),
      fc.tuple(tie('any'), fc.nat(3)).map(([{ type, value }, count]) => {
        const items = Array.from({ length: count }, () => value);
        const isBlob = type instanceof IDL.FixedNatClass && type._bits === 8;
        return { type: IDL.Vec(type), value: isBlob ? Uint8Array.from(items, Number) : items };
      }),
      fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((parts) => {
        return { type: IDL.Tuple(...parts.map(({ type }) => type)), value: parts.map(({ value }) => value) };
      }),
      fc
        .uniqueArray(fc.tuple(label(), tie('any')), { maxLength: 4, selector: ([name]) => name })
        .map((parts) => ({
          type: IDL.Record(Object.fromEntries(parts.map(([name, { type }]) => [name, type]))),
          value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
        })),
      fc.tuple(label(), tie('any')).map(([name, { type, value }]) => ({
        type: IDL.Variant({ [name]: type, another: IDL.Null }),
        value: { [name]: value },
      })),
    ),
  })).any;
}

function leaf(): fc.Arbitrary<{ type: IDL.Type; value: unknown }> {
  const of = <T>(
    type: IDL.Type,
    value: fc.Arbitrary<T>,
  ): fc.Arbitrary<{ type: IDL.Type; value: unknown }> => {
    return value.map((sample) => ({ type, value: sample }));
  };
  const principal = fc.uint8Array({ maxLength: 29 }).map((bytes) => Principal.fromUint8Array(bytes));
  return fc.oneof(
    of(IDL.Nat, fc.bigInt({ min: 0n })),
    of(IDL.Int, fc.bigInt()),
    of(IDL.Nat8, fc.nat(255)),
    of(IDL.Int16, fc.integer({ min: -32768, max: 32767 })),
    of(IDL.Nat64, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    of(IDL.Float64, fc.double()),
    of(IDL.Float32, fc.float()),
    of(IDL.Bool, fc.boolean()),
    of(IDL.Null, fc.constant(null)),
    of(IDL.Text, fc.string({ unit: 'binary' })),
    of(IDL.Vec(IDL.Nat8), fc.uint8Array({ maxLength: 40 })),
    of(IDL.Principal, principal),
    of(IDL.Service({}), principal),
    of(IDL.Func([], []), fc.tuple(principal, fc.string({ unit: 'grapheme', maxLength: 8 }))),
  );
}
