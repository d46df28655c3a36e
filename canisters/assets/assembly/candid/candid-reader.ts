import { ByteReader } from '../base/byte-reader';
import { Bytes, Slice } from '../base/bytes';
import {
  BOOL, EMPTY, FLOAT32, FLOAT64, FUNC, INT, INT16, INT32, INT64, INT8, MAGIC, NAT, NAT16, NAT32, NAT64, NAT8,
  nameOfType, NULL, OPT, PRINCIPAL, RECORD, RESERVED, SERVICE, TEXT, VARIANT, VEC,
} from './candid-types';

/** How deep values that are skipped may nest, against a message that exhausts the stack. */
const MAX_DEPTH: i32 = 128;
/** How many values that take no bytes (`vec null`) are skipped, against a short message that means billions. */
const MAX_EMPTY_VALUES: i32 = 1_000_000;

const MAX_PRINCIPAL_SIZE: i32 = 29;

/** One entry of the type table: its constructor and, per constructor, element type or fields. */
class TypeEntry {
  ids: StaticArray<u32> = [];
  types: StaticArray<i32> = [];
  constructor(public code: i32) {}
}

/**
 * Decodes a Candid message by the types its sender wrote, whatever the order of fields and the extra fields.
 * Every method that takes a `type` reads one value of it and traps when the value cannot be what is asked for.
 */
export class CandidReader {
  private table: StaticArray<TypeEntry> = [];
  private argumentTypes: StaticArray<i32> = [];
  private nextArgument: i32 = 0;
  private emptyValues: i32 = 0;
  private bytes: ByteReader;

  constructor(source: Slice) {
    this.bytes = new ByteReader(source, 'invalid Candid argument');
    if (source.length < 4 || this.bytes.u32() !== MAGIC) this.fail('it does not start with DIDL');
    this.readTypeTable();
    const count = this.count();
    this.argumentTypes = new StaticArray<i32>(count);
    for (let i = 0; i < count; i++) this.argumentTypes[i] = this.typeReference();
  }

  fail(problem: string): void {
    this.bytes.fail(problem);
  }

  /** The type of the next argument; `RESERVED` when the sender gave fewer (an absent argument is an absent opt). */
  argument(): i32 {
    return this.nextArgument < this.argumentTypes.length ? this.argumentTypes[this.nextArgument++] : RESERVED;
  }

  /** A count of things that take at least a byte each. */
  private count(): i32 {
    const count = this.bytes.size();
    if (count > this.bytes.left) this.fail('unexpected end of data');
    return count;
  }

  private typeReference(): i32 {
    const type = this.bytes.sleb();
    const known = type >= 0 ? type < this.table.length : (type <= NULL && type >= EMPTY) || type === PRINCIPAL;
    if (!known) this.fail('unknown type ' + type.toString());
    return <i32>type;
  }

  private readTypeTable(): void {
    this.table = new StaticArray<TypeEntry>(this.count());
    for (let i = 0; i < this.table.length; i++) this.table[i] = this.readTypeEntry();
  }

  private readTypeEntry(): TypeEntry {
    const code = <i32>this.bytes.sleb();
    const entry = new TypeEntry(code);
    if (code === OPT || code === VEC) {
      entry.types = [this.typeReference()];
    } else if (code === RECORD || code === VARIANT) {
      this.readFields(entry);
    } else if (code === FUNC) {
      for (let part = 0; part < 2; part++) {
        const count = this.count();
        for (let i = 0; i < count; i++) this.typeReference();
      }
      this.bytes.take(this.count());
    } else if (code === SERVICE) {
      const count = this.count();
      for (let i = 0; i < count; i++) {
        this.bytes.text();
        this.typeReference();
      }
    } else {
      this.fail('unknown type constructor ' + code.toString());
    }
    return entry;
  }

  private readFields(entry: TypeEntry): void {
    const count = this.count();
    entry.ids = new StaticArray<u32>(count);
    entry.types = new StaticArray<i32>(count);
    for (let i = 0; i < count; i++) {
      const id = this.bytes.uleb();
      if (id > <u64>u32.MAX_VALUE || (i > 0 && id <= <u64>entry.ids[i - 1])) this.fail('fields are not in order');
      entry.ids[i] = <u32>id;
      entry.types[i] = this.typeReference();
    }
  }

  /** The constructor or primitive code of a type. */
  codeOf(type: i32): i32 {
    return type < 0 ? type : this.table[type].code;
  }

  private expect(type: i32, code: i32): void {
    const found = this.codeOf(type);
    if (found !== code) this.fail('expected ' + nameOfType(code) + ', found ' + nameOfType(found));
  }

  expectRecord(type: i32): void {
    this.expect(type, RECORD);
  }

  /** Field ids of a record, or tags of a variant. */
  fieldIds(type: i32): StaticArray<u32> {
    return this.table[type].ids;
  }

  fieldTypes(type: i32): StaticArray<i32> {
    return this.table[type].types;
  }

  /** The tag of a variant; `variantType` then tells the type of the value that follows. */
  variantIndex(type: i32): i32 {
    this.expect(type, VARIANT);
    const index = this.bytes.size();
    if (index >= this.table[type].ids.length) this.fail('variant tag out of range');
    return index;
  }

  /**
   * Whether an optional value is present. The sender may have written `opt t`, nothing, or a plain `t`, which
   * Candid lets stand for `opt t`. `elementType` tells the type of the present value.
   */
  present(type: i32): bool {
    const code = this.codeOf(type);
    if (code === OPT) {
      const flag = this.bytes.u8();
      if (flag > 1) this.fail('opt is neither 0 nor 1');
      return flag === 1;
    }
    return code !== NULL && code !== RESERVED;
  }

  elementType(type: i32): i32 {
    return this.codeOf(type) === OPT ? this.table[type].types[0] : type;
  }

  /** Enters a vec and gives its length; `itemType` tells the type of its items. */
  vecLength(type: i32): i32 {
    this.expect(type, VEC);
    const length = this.bytes.size();
    if (length > this.bytes.left) this.fail('vec is longer than the message');
    return length;
  }

  itemType(type: i32): i32 {
    return this.table[type].types[0];
  }

  bool(type: i32): bool {
    this.expect(type, BOOL);
    const value = this.bytes.u8();
    if (value > 1) this.fail('bool is neither 0 nor 1');
    return value === 1;
  }

  nat(type: i32): u64 {
    this.expect(type, NAT);
    return this.bytes.uleb();
  }

  nat64(type: i32): u64 {
    this.expect(type, NAT64);
    return this.bytes.u64();
  }

  nat16(type: i32): u16 {
    this.expect(type, NAT16);
    return load<u16>(this.bytes.take(2));
  }

  text(type: i32): string {
    this.expect(type, TEXT);
    return this.bytes.text();
  }

  blob(type: i32): Slice {
    this.expect(type, VEC);
    this.expect(this.itemType(type), NAT8);
    return this.bytes.slice(this.bytes.size());
  }

  principal(type: i32): Bytes {
    this.expect(type, PRINCIPAL);
    return this.readPrincipal().toBytes();
  }

  private readPrincipal(): Slice {
    if (this.bytes.u8() !== 1) this.fail('opaque references are not supported');
    const size = this.bytes.size();
    if (size > MAX_PRINCIPAL_SIZE) this.fail('a principal has at most 29 bytes');
    return this.bytes.slice(size);
  }

  /** Passes over a value nobody asked for. */
  skip(type: i32, depth: i32 = 0): void {
    if (depth > MAX_DEPTH) this.fail('values nest too deep');
    const code = this.codeOf(type);
    switch (code) {
      case NULL:
      case RESERVED:
        if (++this.emptyValues > MAX_EMPTY_VALUES) this.fail('too many values without content');
        return;
      case BOOL: case NAT8: case INT8: this.bytes.take(1); return;
      case NAT16: case INT16: this.bytes.take(2); return;
      case NAT32: case INT32: case FLOAT32: this.bytes.take(4); return;
      case NAT64: case INT64: case FLOAT64: this.bytes.take(8); return;
      case NAT: case INT: this.bytes.skipLeb(); return;
      case TEXT: this.bytes.text(); return;
      case PRINCIPAL: case SERVICE: this.readPrincipal(); return;
      case FUNC:
        if (this.bytes.u8() !== 1) this.fail('opaque references are not supported');
        this.readPrincipal();
        this.bytes.text();
        return;
      case OPT:
        if (this.present(type)) this.skip(this.elementType(type), depth + 1);
        return;
      case VEC: {
        const length = this.bytes.size();
        for (let i = 0; i < length; i++) this.skip(this.itemType(type), depth + 1);
        return;
      }
      case RECORD: {
        const types = this.table[type].types;
        if (types.length === 0 && ++this.emptyValues > MAX_EMPTY_VALUES) this.fail('too many values without content');
        for (let i = 0; i < types.length; i++) this.skip(types[i], depth + 1);
        return;
      }
      case VARIANT: {
        const index = this.variantIndex(type);
        this.skip(this.table[type].types[index], depth + 1);
        return;
      }
      default: this.fail('a value of type ' + nameOfType(code) + ' cannot exist');
    }
  }
}

/** Walks the fields of one record in the order they were sent. */
export class Fields {
  private ids: StaticArray<u32>;
  private types: StaticArray<i32>;
  private index: i32 = -1;

  constructor(reader: CandidReader, type: i32) {
    reader.expectRecord(type);
    this.ids = reader.fieldIds(type);
    this.types = reader.fieldTypes(type);
  }

  next(): bool {
    return ++this.index < this.ids.length;
  }

  get id(): u32 {
    return this.ids[this.index];
  }

  get type(): i32 {
    return this.types[this.index];
  }
}
