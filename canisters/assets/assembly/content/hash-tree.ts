import { addressOf, Bytes, compareBytes, utf8 } from '../base/bytes';
import { begin, finish, HASH_SIZE, update } from '../base/sha256';

/** Domain separators of the hash tree (interface specification, "Certification"): a length byte and a name. */
const FORK = utf8('\x10ic-hashtree-fork');
const LABELED = utf8('\x13ic-hashtree-labeled');
const LEAF = utf8('\x10ic-hashtree-leaf');
const NOTHING: Bytes = [];

export function forkHash(left: usize, right: usize): Bytes {
  begin();
  update(addressOf(FORK), FORK.length);
  update(left, HASH_SIZE);
  update(right, HASH_SIZE);
  return finish();
}

export function labeledHash(label: Bytes, subtree: Bytes): Bytes {
  begin();
  update(addressOf(LABELED), LABELED.length);
  update(addressOf(label), label.length);
  update(addressOf(subtree), HASH_SIZE);
  return finish();
}

export function leafHash(value: Bytes): Bytes {
  begin();
  update(addressOf(LEAF), LEAF.length);
  update(addressOf(value), value.length);
  return finish();
}

/** A subtree. `hash` is its root hash. */
export abstract class Node {
  abstract hash(): Bytes;
}

export class Leaf extends Node {
  private own: Bytes;

  constructor(readonly value: Bytes) {
    super();
    this.own = leafHash(value);
  }

  hash(): Bytes {
    return this.own;
  }
}

/** The middle of a range of labels: where a level forks. */
@inline
export function middleOf(low: i32, high: i32): i32 {
  return (low + high + 1) >> 1;
}

/**
 * Labels with their subtrees, as a balanced binary tree of forks. The hashes of its forks are kept in heap order
 * (root 1, children of i at 2i and 2i + 1), so a witness needs no hashing. They are made again, all of them, when
 * asked for after a change: changes come in batches and a level is one folder of a site.
 */
export class Level extends Node {
  private labels: Array<Bytes> = [];
  private children: Array<Node> = [];
  private hashes: Bytes = [];
  private stale: bool = true;

  get size(): i32 {
    return this.labels.length;
  }

  labelAt(index: i32): Bytes {
    return this.labels[index];
  }

  childAt(index: i32): Node {
    return this.children[index];
  }

  /** Index of the first label that is not below `label`. */
  position(label: Bytes): i32 {
    let low = 0;
    let high = this.labels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareBytes(this.labels[middle], label) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isAt(index: i32, label: Bytes): bool {
    return index < this.labels.length && compareBytes(this.labels[index], label) === 0;
  }

  private insert(index: i32, label: Bytes, child: Node): void {
    this.labels.push(label);
    this.children.push(child);
    for (let i = this.labels.length - 1; i > index; i--) {
      this.labels[i] = this.labels[i - 1];
      this.children[i] = this.children[i - 1];
    }
    this.labels[index] = label;
    this.children[index] = child;
  }

  /** Puts `node` at the end of `path`, making the levels in between. */
  put(path: Array<Bytes>, node: Node, depth: i32 = 0): void {
    this.stale = true;
    const label = path[depth];
    const index = this.position(label);
    const known = this.isAt(index, label);
    if (depth === path.length - 1) {
      if (known) this.children[index] = node;
      else this.insert(index, label, node);
      return;
    }
    if (!known) this.insert(index, label, new Level());
    (this.children[index] as Level).put(path, node, depth + 1);
  }

  /** Removes what is at the end of `path`, and the levels that become empty by it. */
  remove(path: Array<Bytes>, depth: i32 = 0): void {
    const label = path[depth];
    const index = this.position(label);
    if (!this.isAt(index, label)) return;
    this.stale = true;
    if (depth < path.length - 1) {
      const child = this.children[index] as Level;
      child.remove(path, depth + 1);
      if (child.size > 0) return;
    }
    this.labels.splice(index, 1);
    this.children.splice(index, 1);
  }

  hash(): Bytes {
    this.refresh();
    return this.forkAt(1);
  }

  /** The hash of the fork (or labeled child) at a place in heap order. */
  forkAt(place: i32): Bytes {
    const copy = new StaticArray<u8>(HASH_SIZE);
    memory.copy(addressOf(copy), addressOf(this.hashes) + place * HASH_SIZE, HASH_SIZE);
    return copy;
  }

  private refresh(): void {
    if (!this.stale) return;
    let places = 2;
    while (places < 2 * this.size) places *= 2;
    if (this.hashes.length !== places * HASH_SIZE) this.hashes = new StaticArray<u8>(places * HASH_SIZE);
    this.refreshRange(0, this.size, 1);
    this.stale = false;
  }

  private refreshRange(low: i32, high: i32, place: i32): void {
    const base = addressOf(this.hashes);
    let hash: Bytes;
    if (high - low === 1) {
      hash = labeledHash(this.labels[low], this.children[low].hash());
    } else {
      const middle = middleOf(low, high);
      this.refreshRange(low, middle, 2 * place);
      this.refreshRange(middle, high, 2 * place + 1);
      hash = forkHash(base + 2 * place * HASH_SIZE, base + (2 * place + 1) * HASH_SIZE);
    }
    memory.copy(base + place * HASH_SIZE, addressOf(hash), HASH_SIZE);
  }
}

/**
 * What is certified for one path: expression hash, request hash (empty where no request is certified) and response
 * hash, in threes, standing for the subtree `<expression hash> / <request hash> / <response hash> / empty leaf`. Kept
 * flat because every path of a site has one, and grown into levels only where it is hashed or shown.
 */
export class Responses extends Node {
  private own: Bytes | null = null;
  private parts: Array<Bytes> = [];

  add(expression: Bytes, request: Bytes, response: Bytes): void {
    this.parts.push(expression);
    this.parts.push(request);
    this.parts.push(response);
    this.own = null;
  }

  addAll(others: Responses): void {
    for (let i = 0; i < others.parts.length; i++) this.parts.push(others.parts[i]);
    this.own = null;
  }

  hash(): Bytes {
    let hash = this.own;
    if (hash === null) {
      hash = this.expand().hash();
      this.own = hash;
    }
    return hash;
  }

  expand(): Level {
    const level = new Level();
    const parts = this.parts;
    for (let i = 0; i < parts.length; i += 3) {
      level.put([parts[i], parts[i + 1], parts[i + 2]], new Leaf(NOTHING));
    }
    return level;
  }
}
