import { ByteWriter } from '../wasm/writer.ts';

/**
 * A WebAssembly module, made here instruction by instruction, that computes in the field of Curve25519 and adds
 * points of Ed25519. The crypto library of Node needs 55 us for a signature; with the tables of `ed25519-signer.ts`
 * and this it is a third of that.
 *
 * A field element is ten signed 32-bit limbs in memory, of 26 and 25 bits in turn (the representation of the public
 * domain implementation "ref10"): limb `i` weighs 2^ceil(25.5 i). Sums and differences of two elements are not carried;
 * a product takes them as they are.
 */
export interface FieldModule {
  readonly memory: WebAssembly.Memory;
  /** `out = a * b`; the arguments are addresses and may be equal. */
  mul(out: number, a: number, b: number): void;
  add(out: number, a: number, b: number): void;
  sub(out: number, a: number, b: number): void;
  /** Adds the point at `entry`, given as (y + x, y - x, 2dxy), to the point at address 0, given as (X, Y, Z, T). */
  addPoint(entry: number): void;
  /** The same with the negative of the point at `entry`. */
  subtractPoint(entry: number): void;
}

/** Limbs of a field element. */
export const LIMBS = 10;
/** Bytes of a field element. */
export const ELEMENT = LIMBS * 4;
/** Where the point that is added to has its coordinates; what follows up to `FREE` is scratch space. */
export const POINT = { x: 0, y: ELEMENT, z: 2 * ELEMENT, t: 3 * ELEMENT } as const;
const [A, B, C, D, E, F, G, H, SUM] = [4, 5, 6, 7, 8, 9, 10, 11, 12].map((slot) => slot * ELEMENT) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];
/** First address that the module does not use itself. */
export const FREE = 13 * ELEMENT;

const I32 = 0x7f;
const I64 = 0x7e;
const OP = {
  end: 0x0b,
  call: 0x10,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  i32Load: 0x28,
  i64Load32S: 0x34,
  i32Store: 0x36,
  i64Store32: 0x3e,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64Shl: 0x86,
  i64ShrS: 0x87,
} as const;
const FUNCTION = { mul: 0, add: 1, sub: 2, addPoint: 3, subtractPoint: 4 } as const;

/** Compiles the module with `bytes` of memory. */
export function fieldModule(bytes: number): FieldModule {
  const module = new WebAssembly.Module(moduleBytes(Math.ceil(bytes / 65_536)));
  return new WebAssembly.Instance(module).exports as unknown as FieldModule;
}

function moduleBytes(pages: number): Uint8Array<ArrayBuffer> {
  const bodies = [mulBody(), sumBody(OP.i32Add), sumBody(OP.i32Sub), pointBody(false), pointBody(true)];
  const names = Object.entries(FUNCTION);
  const section = (writer: ByteWriter, id: number, fill: (body: ByteWriter) => void): void => {
    writer.byte(id).sized(fill);
  };
  const module = new ByteWriter().raw(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  section(module, 1, (types) => {
    types.u32(2);
    types.raw(Uint8Array.of(0x60, 3, I32, I32, I32, 0));
    types.raw(Uint8Array.of(0x60, 1, I32, 0));
  });
  section(module, 3, (functions) => functions.u32(bodies.length).raw(Uint8Array.of(0, 0, 0, 1, 1)));
  section(module, 5, (memories) => memories.u32(1).byte(0).u32(pages));
  section(module, 7, (exports) => {
    exports
      .u32(names.length + 1)
      .name('memory')
      .byte(2)
      .u32(0);
    for (const [name, index] of names) exports.name(name).byte(0).u32(index);
  });
  section(module, 10, (code) => {
    code.u32(bodies.length);
    for (const body of bodies) code.sized((inner) => inner.raw(body));
  });
  return new Uint8Array(module.view);
}

const OUT = 0;
const LEFT = 1;
const RIGHT = 2;
/** Bits of limb `i`. */
const bitsOf = (limb: number): number => (limb % 2 === 0 ? 26 : 25);

function mulBody(): Uint8Array {
  const body = new ByteWriter(4096);
  let next = 3;
  const locals = (count: number): number[] => Array.from({ length: count }, () => next++);
  const f = locals(LIMBS);
  const g = locals(LIMBS);
  /** Two odd limbs meet half a bit too low each: their product counts twice. */
  const doubled = locals(LIMBS);
  /** What lies beyond 2^255 comes back times 19. */
  const wrapped = locals(LIMBS);
  const h = locals(LIMBS);
  const [carry = 0] = locals(1);
  const get = (local: number | undefined): ByteWriter => body.byte(OP.localGet).u32(local ?? 0);
  const set = (local: number | undefined): ByteWriter => body.byte(OP.localSet).u32(local ?? 0);
  const constant = (value: number): ByteWriter => body.byte(OP.i64Const).s64(BigInt(value));
  body
    .u32(1)
    .u32(next - 3)
    .byte(I64);
  for (const [pointer, limbs] of [
    [LEFT, f],
    [RIGHT, g],
  ] as const) {
    limbs.forEach((local, limb) => {
      get(pointer)
        .byte(OP.i64Load32S)
        .u32(2)
        .u32(limb * 4);
      set(local);
    });
  }
  for (let limb = 1; limb < LIMBS; limb += 1) {
    if (limb % 2 === 1) {
      get(f[limb]);
      get(f[limb]).byte(OP.i64Add);
      set(doubled[limb]);
    }
    get(g[limb]);
    constant(19).byte(OP.i64Mul);
    set(wrapped[limb]);
  }
  for (let k = 0; k < LIMBS; k += 1) {
    for (let i = 0; i < LIMBS; i += 1) {
      const j = (k - i + LIMBS) % LIMBS;
      get(i % 2 === 1 && j % 2 === 1 ? doubled[i] : f[i]);
      get(i > k ? wrapped[j] : g[j]).byte(OP.i64Mul);
      if (i > 0) body.byte(OP.i64Add);
    }
    set(h[k]);
  }
  // The order of "ref10", which keeps every limb in range: 0 and 4 first, so that the last carries are small.
  for (const limb of [0, 4, 1, 5, 2, 6, 3, 7, 4, 8, 9, 0]) {
    const bits = bitsOf(limb);
    get(h[limb]);
    constant(2 ** (bits - 1)).byte(OP.i64Add);
    constant(bits).byte(OP.i64ShrS);
    body.byte(OP.localTee).u32(carry);
    if (limb === LIMBS - 1) constant(19).byte(OP.i64Mul);
    get(h[(limb + 1) % LIMBS]).byte(OP.i64Add);
    set(h[(limb + 1) % LIMBS]);
    get(h[limb]);
    get(carry);
    constant(bits).byte(OP.i64Shl).byte(OP.i64Sub);
    set(h[limb]);
  }
  h.forEach((local, limb) => {
    get(OUT);
    get(local)
      .byte(OP.i64Store32)
      .u32(2)
      .u32(limb * 4);
  });
  return body.byte(OP.end).view;
}

function sumBody(operation: number): Uint8Array {
  const body = new ByteWriter(512).u32(0);
  for (let offset = 0; offset < ELEMENT; offset += 4) {
    body.byte(OP.localGet).u32(OUT);
    for (const pointer of [LEFT, RIGHT]) {
      body.byte(OP.localGet).u32(pointer).byte(OP.i32Load).u32(2).u32(offset);
    }
    body.byte(operation).byte(OP.i32Store).u32(2).u32(offset);
  }
  return body.byte(OP.end).view;
}

/** Mixed addition in extended coordinates (Hisil, Wong, Carter, Dawson 2008, section 3.1, with Z2 = 1); complete. */
function pointBody(negative: boolean): Uint8Array {
  const body = new ByteWriter(512).u32(0);
  const address = (value: number): ByteWriter => body.byte(OP.i32Const).s64(BigInt(value));
  const entry = (part: number): ByteWriter =>
    body
      .byte(OP.localGet)
      .u32(0)
      .byte(OP.i32Const)
      .s64(BigInt(part * ELEMENT))
      .byte(OP.i32Add);
  const apply = (name: keyof typeof FUNCTION, out: number, a: number, b: number | (() => void)): void => {
    address(out);
    address(a);
    if (typeof b === 'number') address(b);
    else b();
    body.byte(OP.call).u32(FUNCTION[name]);
  };
  // The negative of (x, y) is (-x, y): sum and difference change places, and so do F and G.
  const [yPlusX, yMinusX] = negative ? [1, 0] : [0, 1];
  const [minusC, plusC] = negative ? [G, F] : [F, G];
  apply('sub', SUM, POINT.y, POINT.x);
  apply('mul', A, SUM, () => entry(yMinusX));
  apply('add', SUM, POINT.y, POINT.x);
  apply('mul', B, SUM, () => entry(yPlusX));
  apply('mul', C, POINT.t, () => entry(2));
  apply('add', D, POINT.z, POINT.z);
  apply('sub', E, B, A);
  apply('sub', minusC, D, C);
  apply('add', plusC, D, C);
  apply('add', H, B, A);
  apply('mul', POINT.x, E, F);
  apply('mul', POINT.y, G, H);
  apply('mul', POINT.z, F, G);
  apply('mul', POINT.t, E, H);
  return body.byte(OP.end).view;
}
