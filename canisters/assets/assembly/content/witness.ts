import { ByteWriter } from '../base/byte-writer';
import { Bytes, compareBytes } from '../base/bytes';
import { Leaf, Level, middleOf, Node, Responses } from './hash-tree';

/** CBOR heads of the hash tree's encoding (interface specification, "Encoding of certificates"). */
const ARRAY: u8 = 0x80;
const BYTE_STRING: u8 = 0x40;
const TEXT_STRING: u8 = 0x60;
const SELF_DESCRIBED: u32 = 0xf7d9d9;
const FORK: u8 = 1;
const LABELED: u8 = 2;
const LEAF: u8 = 3;
const PRUNED: u8 = 4;

export function writeSelfDescribed(writer: ByteWriter): void {
  writer.u8(<u8>SELF_DESCRIBED);
  writer.u8(<u8>(SELF_DESCRIBED >> 8));
  writer.u8(<u8>(SELF_DESCRIBED >> 16));
}

function writeHead(writer: ByteWriter, major: u8, value: u32): void {
  if (value < 24) {
    writer.u8(major | <u8>value);
  } else if (value < 0x100) {
    writer.u8(major | 24);
    writer.u8(<u8>value);
  } else if (value < 0x10000) {
    writer.u8(major | 25);
    store<u16>(writer.reserve(2), bswap<u16>(<u16>value));
  } else {
    writer.u8(major | 26);
    store<u32>(writer.reserve(4), bswap<u32>(value));
  }
}

export function writeTexts(writer: ByteWriter, texts: Array<Bytes>): void {
  writeHead(writer, ARRAY, texts.length);
  for (let i = 0; i < texts.length; i++) {
    writeHead(writer, TEXT_STRING, texts[i].length);
    writer.bytes(texts[i]);
  }
}

function writeNode(writer: ByteWriter, kind: u8, parts: u8): void {
  writer.u8(ARRAY | parts);
  writer.u8(kind);
}

function writeBytes(writer: ByteWriter, bytes: Bytes): void {
  writeHead(writer, BYTE_STRING, bytes.length);
  writer.bytes(bytes);
}

function writePruned(writer: ByteWriter, hash: Bytes): void {
  writeNode(writer, PRUNED, 2);
  writeBytes(writer, hash);
}

/** The paths that a witness has to prove present or absent, as a tree of labels. */
export class Reveal {
  private labels: Array<Bytes> = [];
  private below: Array<Reveal> = [];
  private whole: bool = false;

  add(path: Array<Bytes>): void {
    this.end(path, 0);
  }

  /** Shows also all that is below the path. */
  addWhole(path: Array<Bytes>): void {
    this.end(path, 0).whole = true;
  }

  private end(path: Array<Bytes>, depth: i32): Reveal {
    if (depth === path.length) return this;
    let index = 0;
    while (index < this.labels.length && compareBytes(this.labels[index], path[depth]) !== 0) index++;
    if (index === this.labels.length) {
      this.labels.push(path[depth]);
      this.below.push(new Reveal());
    }
    return this.below[index].end(path, depth + 1);
  }

  get isEnd(): bool {
    return this.labels.length === 0 && !this.whole;
  }

  /** Writes `node` with these paths shown and everything else replaced by hashes. */
  write(writer: ByteWriter, node: Node): void {
    if (this.whole || node instanceof Leaf) writeTree(writer, node);
    else if (this.isEnd) writePruned(writer, node.hash());
    else if (node instanceof Responses) this.writeLevel(writer, (node as Responses).expand());
    else this.writeLevel(writer, node as Level);
  }

  private writeLevel(writer: ByteWriter, level: Level): void {
    const shown = new Shown(level);
    for (let i = 0; i < this.labels.length; i++) shown.mark(this.labels[i], this.below[i]);
    level.hash();
    shown.write(writer, 0, level.size, 1);
  }
}

/** Which labels of one level are shown, and what is shown below each. */
class Shown {
  private indices: Array<i32> = [];
  private below: Array<Reveal> = [];

  constructor(private level: Level) {}

  /** A label that is absent is proved by its two neighbours. */
  mark(label: Bytes, below: Reveal): void {
    const index = this.level.position(label);
    if (this.level.isAt(index, label)) {
      this.show(index, below);
    } else {
      if (index > 0) this.show(index - 1, new Reveal());
      if (index < this.level.size) this.show(index, new Reveal());
    }
  }

  private show(index: i32, below: Reveal): void {
    const known = this.indices.indexOf(index);
    if (known < 0) {
      this.indices.push(index);
      this.below.push(below);
    } else if (this.below[known].isEnd) {
      this.below[known] = below;
    }
  }

  private shows(low: i32, high: i32): bool {
    for (let i = 0; i < this.indices.length; i++) {
      if (this.indices[i] >= low && this.indices[i] < high) return true;
    }
    return false;
  }

  write(writer: ByteWriter, low: i32, high: i32, place: i32): void {
    if (!this.shows(low, high)) {
      writePruned(writer, this.level.forkAt(place));
    } else if (high - low === 1) {
      writeNode(writer, LABELED, 3);
      writeBytes(writer, this.level.labelAt(low));
      this.below[this.indices.indexOf(low)].write(writer, this.level.childAt(low));
    } else {
      writeNode(writer, FORK, 3);
      const middle = middleOf(low, high);
      this.write(writer, low, middle, 2 * place);
      this.write(writer, middle, high, 2 * place + 1);
    }
  }
}

/** Writes a whole tree. */
export function writeTree(writer: ByteWriter, node: Node): void {
  if (node instanceof Leaf) {
    writeNode(writer, LEAF, 2);
    writeBytes(writer, (node as Leaf).value);
  } else if (node instanceof Responses) {
    writeTree(writer, (node as Responses).expand());
  } else {
    const level = node as Level;
    writeRange(writer, level, 0, level.size);
  }
}

function writeRange(writer: ByteWriter, level: Level, low: i32, high: i32): void {
  if (high - low === 1) {
    writeNode(writer, LABELED, 3);
    writeBytes(writer, level.labelAt(low));
    writeTree(writer, level.childAt(low));
    return;
  }
  const middle = middleOf(low, high);
  writeNode(writer, FORK, 3);
  writeRange(writer, level, low, middle);
  writeRange(writer, level, middle, high);
}
