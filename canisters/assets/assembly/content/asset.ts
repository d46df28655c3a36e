import { ByteReader } from '../base/byte-reader';
import { ByteWriter } from '../base/byte-writer';
import { Bytes } from '../base/bytes';
import { Content } from './content';
import { Responses } from './hash-tree';
import { HASH_SIZE } from '../base/sha256';

/** `opt bool` in one byte. */
export const UNSET: i8 = -1;
export const NO: i8 = 0;
export const YES: i8 = 1;

export const IDENTITY = 'identity';

export class Header {
  constructor(
    readonly name: string,
    readonly value: string,
  ) {}
}

/** What a client can set on an asset beside its content. Absent values keep their difference from defaults. */
export class Properties {
  hasMaxAge: bool = false;
  maxAge: u64 = 0;
  headers: Array<Header> | null = null;
  aliased: i8 = UNSET;
  rawAccess: i8 = UNSET;

  save(writer: ByteWriter): void {
    writer.u8(this.hasMaxAge ? 1 : 0);
    writer.u64(this.maxAge);
    writer.u8(<u8>this.aliased);
    writer.u8(<u8>this.rawAccess);
    const headers = this.headers;
    writer.u8(headers === null ? 0 : 1);
    if (headers === null) return;
    writer.u32(headers.length);
    for (let i = 0; i < headers.length; i++) {
      saveText(writer, headers[i].name);
      saveText(writer, headers[i].value);
    }
  }

  static load(reader: ByteReader): Properties {
    const properties = new Properties();
    properties.hasMaxAge = reader.u8() === 1;
    properties.maxAge = reader.u64();
    properties.aliased = <i8>reader.u8();
    properties.rawAccess = <i8>reader.u8();
    if (reader.u8() === 1) {
      const headers = new Array<Header>(reader.u32());
      for (let i = 0; i < headers.length; i++) {
        const name = reader.text();
        headers[i] = new Header(name, reader.text());
      }
      properties.headers = headers;
    }
    return properties;
  }
}

export function saveText(writer: ByteWriter, text: string): void {
  writer.uleb(String.UTF8.byteLength(text));
  writer.text(text);
}

/** The body of an asset in one content encoding. */
export class Encoding {
  constructor(
    readonly name: string,
    readonly content: Content,
    readonly hash: Bytes,
    /** Nanoseconds since 1970. */
    readonly modified: i64,
  ) {}

  save(writer: ByteWriter): void {
    saveText(writer, this.name);
    writer.bytes(this.hash);
    writer.u64(this.modified);
    this.content.save(writer);
  }

  static load(reader: ByteReader): Encoding {
    const name = reader.text();
    const hash = reader.slice(HASH_SIZE).toBytes();
    const modified = reader.u64();
    return new Encoding(name, Content.load(reader), hash, modified);
  }
}

export class Asset {
  /** In order of name. */
  encodings: Array<Encoding> = [];
  /** What is certified for it, kept for its paths; `null` after a change. */
  responses: Responses | null = null;
  /** The same for its aliases that are redirected. */
  redirected: Responses | null = null;

  constructor(
    readonly key: string,
    public contentType: string,
    public properties: Properties,
  ) {}

  get aliased(): bool {
    return this.properties.aliased !== NO;
  }

  get rawAccess(): bool {
    return this.properties.rawAccess !== NO;
  }

  encoding(name: string): Encoding | null {
    for (let i = 0; i < this.encodings.length; i++) {
      if (this.encodings[i].name == name) return this.encodings[i];
    }
    return null;
  }

  /** Adds an encoding, instead of the one of the same name, whose space is freed. */
  setEncoding(encoding: Encoding): void {
    this.removeEncoding(encoding.name);
    this.encodings.push(encoding);
    this.encodings.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  removeEncoding(name: string): bool {
    for (let i = 0; i < this.encodings.length; i++) {
      if (this.encodings[i].name != name) continue;
      this.encodings[i].content.free();
      this.encodings.splice(i, 1);
      return true;
    }
    return false;
  }

  free(): void {
    for (let i = 0; i < this.encodings.length; i++) this.encodings[i].content.free();
  }

  save(writer: ByteWriter): void {
    saveText(writer, this.key);
    saveText(writer, this.contentType);
    this.properties.save(writer);
    writer.u32(this.encodings.length);
    for (let i = 0; i < this.encodings.length; i++) this.encodings[i].save(writer);
  }

  static load(reader: ByteReader): Asset {
    const key = reader.text();
    const contentType = reader.text();
    const asset = new Asset(key, contentType, Properties.load(reader));
    const count = reader.u32();
    for (let i: u32 = 0; i < count; i++) asset.encodings.push(Encoding.load(reader));
    return asset;
  }
}
