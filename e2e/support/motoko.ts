import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Compiler {
  loadPackage(content: unknown): void;
  write(name: string, source: string): void;
  setPublicMetadata(names: readonly string[]): void;
  wasm(name: string, mode: 'ic'): { wasm: Uint8Array };
}

const cache = fileURLToPath(new URL('../../.cache/motoko', import.meta.url));

/** Compiles one Motoko source as the `motoko` npm package does; the result is kept, since a compile takes seconds. */
export function compileMotoko(source: string): string {
  const file = path.join(cache, `${createHash('sha256').update(source).digest('hex')}.wasm`);
  if (!existsSync(file)) {
    const require = createRequire(import.meta.url);
    const loaded = require('motoko') as { default?: Compiler } & Compiler;
    const compiler = loaded.default ?? loaded;
    compiler.loadPackage(
      JSON.parse(readFileSync(require.resolve('motoko/packages/latest/core.json'), 'utf8')),
    );
    compiler.write('Main.mo', source);
    compiler.setPublicMetadata(['candid:service', 'candid:args']);
    const { wasm } = compiler.wasm('Main.mo', 'ic');
    mkdirSync(cache, { recursive: true });
    writeFileSync(file, wasm);
  }
  return file;
}

/** The smallest canister worth calling: keeps a number, and can trap. */
export const counterSource = `
import Runtime "mo:core/Runtime";
persistent actor {
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public query func get() : async Nat { count };
  public func fail() : async () { count += 1000; Runtime.trap("no more") };
}`;

/** Takes an argument of every kind the Candid page has an input for. */
export const bakerySource = `
import Runtime "mo:core/Runtime";
import Option "mo:core/Option";
persistent actor {
  type Order = { item : Text; warm : Bool };
  type Kind = { #loaf; #cake : Nat };
  var sum : Nat = 0;
  public func bake(quantity : Nat, note : Text, extra : ?Int, sizes : [Nat], order : Order, kind : Kind, who : Principal, data : Blob) : async {
    total : Nat; note : Text; extra : ?Int; order : Order; kind : Kind; who : Principal; data : Blob;
  } {
    sum += quantity;
    for (size in sizes.vals()) sum += size;
    { total = sum; note; extra; order; kind; who; data };
  };
  public query func total() : async Nat { sum };
  public query func greet(name : Text, greeting : ?Text) : async Text { Option.get(greeting, "Hello") # ", " # name };
  public func burn() : async () { sum += 1000; Runtime.trap("the oven is on fire") };
}`;
