/// SHA-256 (FIPS 180-4).

import Blob "mo:core/Blob";
import Nat32 "mo:core/Nat32";
import Nat64 "mo:core/Nat64";
import Nat8 "mo:core/Nat8";
import VarArray "mo:core/VarArray";

module {
  /// FIPS 180-4, 4.2.2: of the cube roots of the first 64 primes.
  let K : [Nat32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ];

  public func ofBlob(bytes : Blob) : Blob {
    ofBlobs([bytes]);
  };

  /// The hash of all parts, one after the other.
  public func ofBlobs(parts : [Blob]) : Blob {
    // FIPS 180-4, 5.3.3: of the square roots of the first 8 primes.
    let state : [var Nat32] = [
      var 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ];
    let words = VarArray.repeat<Nat32>(0, 64);
    var length : Nat64 = 0;
    var word : Nat32 = 0;
    var inWord = 0;
    var full = 0;

    func add(byte : Nat8) {
      word := (word << 8) | Nat32.fromNat8(byte);
      inWord += 1;
      if (inWord == 4) {
        words[full] := word;
        inWord := 0;
        full += 1;
        if (full == 16) {
          compress(state, words);
          full := 0;
        };
      };
    };

    for (part in parts.values()) {
      length += Nat64.fromNat(part.size());
      for (byte in part.values()) add(byte);
    };
    // Padding: a bit 1, zeros, and the length in bits.
    add(0x80);
    while (inWord != 0 or full != 14) add(0);
    words[14] := Nat32.fromNat64((length << 3) >> 32);
    words[15] := Nat32.fromNat64((length << 3) & 0xffff_ffff);
    compress(state, words);
    Blob.fromVarArray(VarArray.tabulate<Nat8>(32, func(at) = byteOf(state[at / 4], at % 4)));
  };

  func byteOf(word : Nat32, at : Nat) : Nat8 {
    let (first, second, third, fourth) = Nat32.explode(word);
    switch at {
      case 0 first;
      case 1 second;
      case 2 third;
      case _ fourth;
    };
  };

  func compress(state : [var Nat32], words : [var Nat32]) {
    var at = 16;
    while (at < 64) {
      let early = words[at - 15];
      let late = words[at - 2];
      let mixedEarly = (early <>> 7) ^ (early <>> 18) ^ (early >> 3);
      let mixedLate = (late <>> 17) ^ (late <>> 19) ^ (late >> 10);
      words[at] := words[at - 16] +% mixedEarly +% words[at - 7] +% mixedLate;
      at += 1;
    };
    var a = state[0];
    var b = state[1];
    var c = state[2];
    var d = state[3];
    var e = state[4];
    var f = state[5];
    var g = state[6];
    var h = state[7];
    at := 0;
    while (at < 64) {
      let choice = (e & f) ^ (^e & g);
      let first = h +% ((e <>> 6) ^ (e <>> 11) ^ (e <>> 25)) +% choice +% K[at] +% words[at];
      let majority = (a & b) ^ (a & c) ^ (b & c);
      let second = ((a <>> 2) ^ (a <>> 13) ^ (a <>> 22)) +% majority;
      h := g;
      g := f;
      f := e;
      e := d +% first;
      d := c;
      c := b;
      b := a;
      a := first +% second;
      at += 1;
    };
    state[0] +%= a;
    state[1] +%= b;
    state[2] +%= c;
    state[3] +%= d;
    state[4] +%= e;
    state[5] +%= f;
    state[6] +%= g;
    state[7] +%= h;
  };
};
