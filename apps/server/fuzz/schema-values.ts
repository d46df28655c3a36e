import fc from 'fast-check';

/** JSON Schema, as far as the contract uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Longest text and list that are made where the schema allows more. */
const MOST_CHARACTERS = 400;
const MOST_ITEMS = 6;

/** Values that a schema lets through. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
  const { type } = schema;
  if (typeof type === 'object') return fc.oneof(...type.map((one) => valuesOf({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listsOf(schema);
    case 'object':
      return objectsOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function textsOf({ pattern, minLength = 0, maxLength = MOST_CHARACTERS }: Schema): fc.Arbitrary<string> {
  const bounds = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, MOST_CHARACTERS)) };
  if (pattern !== undefined) {
    const isAllowed = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    return fc.stringMatching(new RegExp(pattern)).filter(isAllowed);
  }
  // Some characters are two units of a length.
  return fc
    .oneof(
      fc.string(bounds),
      fc.string({ ...bounds, unit: 'grapheme' }),
      fc.string({ ...bounds, unit: 'binary' }),
    )
    .map((text) => text.slice(0, maxLength));
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: Schema): { min: number; max: number } {
  const min = Math.ceil(minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : exclusiveMinimum + 1));
  return { min: Math.max(min, -0x8000_0000), max: Math.min(maximum ?? 1_000_000, 0x7fff_ffff) };
}

function numbersOf(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema);
  return fc.oneof(fc.integer({ min, max }), fc.double({ min, max, noNaN: true }));
}

function listsOf({ items = {}, minItems = 0, maxItems = MOST_ITEMS }: Schema): fc.Arbitrary<unknown[]> {
  return fc.array(valuesOf(items), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, MOST_ITEMS)),
  });
}

function objectsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, valuesOf(value)]),
  );
  return fc.record(model, { requiredKeys: [...required], noNullPrototype: true });
}

/** Many values of each schema, made in batches: one by one takes longer than the request. */
export class ValueSource {
  readonly #seed: number;
  readonly #made = new Map<Schema, { arbitrary: fc.Arbitrary<unknown>; left: unknown[]; batch: number }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The next value of a schema; the same for the same seed and order of questions. */
  next(schema: Schema): unknown {
    const known = this.#made.get(schema) ?? { arbitrary: valuesOf(schema), left: [], batch: 0 };
    this.#made.set(schema, known);
    if (known.left.length === 0) {
      known.batch += 1;
      known.left = fc.sample(known.arbitrary, { numRuns: 30, seed: this.#seed + known.batch });
    }
    return structuredClone(known.left.pop());
  }
}
