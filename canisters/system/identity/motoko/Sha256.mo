/// SHA-256 and SHA-224 (FIPS 180-4) of short texts.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Nat8 "mo:core/Nat8";
import Nat16 "mo:core/Nat16";
import Nat "mo:core/Nat";
import Nat32 "mo:core/Nat32";
import VarArray "mo:core/VarArray";

module {
  let constants : [Nat32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ];

  /// The parts as one.
  public func joined(parts : [Blob]) : Blob {
    Blob.fromArray(parts.map(func part = part.toArray()).flatten());
  };

  /// The hash of the parts one after the other.
  public func hash(parts : [Blob]) : Blob {
    digest(parts, 32, [var 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]);
  };

  /// The same by SHA-224, of 28 bytes.
  public func hash224(parts : [Blob]) : Blob {
    digest(parts, 28, [var 0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4]);
  };

  func digest(parts : [Blob], size : Nat, state : [var Nat32]) : Blob {
    var length = 0;
    for (part in parts.values()) length += part.size();
    // One bit, zeros, and the length in bits as a number of 64 bits.
    let blocks = (length + 9 + 63) / 64;
    let bytes = VarArray.repeat<Nat8>(0, blocks * 64);
    var at = 0;
    for (part in parts.values()) {
      for (byte in part.vals()) {
        bytes[at] := byte;
        at += 1;
      };
    };
    bytes[at] := 0x80;
    var bits = length * 8;
    var last = blocks * 64 : Nat;
    while (bits > 0) {
      last -= 1;
      bytes[last] := (bits % 256).toNat8();
      bits /= 256;
    };

    let words = VarArray.repeat<Nat32>(0, 64);
    func word(byte : Nat8) : Nat32 { byte.toNat16().toNat32() };
    var block = 0;
    while (block < blocks) {
      var i = 0;
      while (i < 16) {
        let from = block * 64 + i * 4;
        words[i] := (word(bytes[from]) << 24) | (word(bytes[from + 1]) << 16) | (word(bytes[from + 2]) << 8) | word(bytes[from + 3]);
        i += 1;
      };
      while (i < 64) {
        let (w15, w2) = (words[i - 15], words[i - 2]);
        let s0 = (w15 <>> 7) ^ (w15 <>> 18) ^ (w15 >> 3);
        let s1 = (w2 <>> 17) ^ (w2 <>> 19) ^ (w2 >> 10);
        words[i] := words[i - 16] +% s0 +% words[i - 7] +% s1;
        i += 1;
      };
      var a = state[0];
      var b = state[1];
      var c = state[2];
      var d = state[3];
      var e = state[4];
      var f = state[5];
      var g = state[6];
      var h = state[7];
      i := 0;
      while (i < 64) {
        let s1 = (e <>> 6) ^ (e <>> 11) ^ (e <>> 25);
        let t1 = h +% s1 +% ((e & f) ^ ((^e) & g)) +% constants[i] +% words[i];
        let s0 = (a <>> 2) ^ (a <>> 13) ^ (a <>> 22);
        let t2 = s0 +% ((a & b) ^ (a & c) ^ (b & c));
        h := g;
        g := f;
        f := e;
        e := d +% t1;
        d := c;
        c := b;
        b := a;
        a := t1 +% t2;
        i += 1;
      };
      state[0] +%= a;
      state[1] +%= b;
      state[2] +%= c;
      state[3] +%= d;
      state[4] +%= e;
      state[5] +%= f;
      state[6] +%= g;
      state[7] +%= h;
      block += 1;
    };
    Blob.fromArray(Array.tabulate<Nat8>(size, func(i) {
      let shift = Nat32.fromNat(24 - 8 * (i % 4) : Nat);
      ((state[i / 4] >> shift) & 0xff).toNat16().toNat8();
    }));
  };
};
