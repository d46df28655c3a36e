import { ByteWriter } from '../base/byte-writer';
import { Bytes } from '../base/bytes';
import { FUNC, MAGIC, OPT, RECORD, VARIANT, VEC } from './candid-types';
import { trap } from '../base/system';

/** Annotation of a query method in a func type. */
const QUERY: u8 = 1;

/** Builds the part of a reply that precedes its values: magic, type table, types of the results. */
export class Schema {
  private table: ByteWriter = new ByteWriter();
  private count: i32 = 0;

  private add(code: i32): i32 {
    this.table.sleb(code);
    return this.count++;
  }

  private composed(code: i32, element: i32): i32 {
    const index = this.add(code);
    this.table.sleb(element);
    return index;
  }

  opt(type: i32): i32 {
    return this.composed(OPT, type);
  }

  vec(type: i32): i32 {
    return this.composed(VEC, type);
  }

  /** `ids` must ascend; values are written in the same order. */
  record(ids: StaticArray<u32>, types: StaticArray<i32>): i32 {
    return this.fields(RECORD, ids, types);
  }

  variant(ids: StaticArray<u32>, types: StaticArray<i32>): i32 {
    return this.fields(VARIANT, ids, types);
  }

  private fields(code: i32, ids: StaticArray<u32>, types: StaticArray<i32>): i32 {
    const index = this.add(code);
    this.table.uleb(ids.length);
    for (let i = 0; i < ids.length; i++) {
      if (i > 0 && ids[i] <= ids[i - 1]) trap('the fields of a reply type must ascend');
      this.table.uleb(ids[i]);
      this.table.sleb(types[i]);
    }
    return index;
  }

  queryFunc(argument: i32, result: i32): i32 {
    const index = this.add(FUNC);
    this.table.uleb(1);
    this.table.sleb(argument);
    this.table.uleb(1);
    this.table.sleb(result);
    this.table.uleb(1);
    this.table.u8(QUERY);
    return index;
  }

  results(types: StaticArray<i32>): Bytes {
    const header = new ByteWriter();
    header.u32(MAGIC);
    header.uleb(this.count);
    header.copy(this.table.pointer, this.table.length);
    header.uleb(types.length);
    for (let i = 0; i < types.length; i++) header.sleb(types[i]);
    return header.toBytes();
  }
}

/** Writes the values of a reply. */
export class CandidWriter extends ByteWriter {
  constructor(header: Bytes, capacity: i32 = 512) {
    super(capacity);
    this.bytes(header);
  }

  /** Also a text that is already UTF-8. */
  blob(bytes: Bytes): void {
    this.uleb(bytes.length);
    this.bytes(bytes);
  }

  candidText(text: string): void {
    this.uleb(String.UTF8.byteLength(text));
    this.text(text);
  }

  bool(value: bool): void {
    this.u8(value ? 1 : 0);
  }

  u16(value: u16): void {
    store<u16>(this.reserve(2), value);
  }

  none(): void {
    this.u8(0);
  }

  some(): void {
    this.u8(1);
  }

  principal(principal: Bytes): void {
    this.u8(1);
    this.blob(principal);
  }

  func(canister: Bytes, method: string): void {
    this.u8(1);
    this.principal(canister);
    this.candidText(method);
  }
}

/** The reply of a method without results. */
export const NO_RESULTS: Bytes = new Schema().results([]);
