import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { cert, key } from '../../src/picture/picture-host.testing.ts';
import { BLOCK, tarEntry } from '../builds/package-registry.ts';

/** A crate of a registry of the test's own, at version 1.0.0. */
export interface TestCrate {
  readonly name: string;
  /** Its source. */
  readonly lib: string;
  /** Names of the crates that it needs. */
  readonly needs?: readonly string[];
}

export interface CrateRegistry {
  /** Address of its sparse index. */
  readonly index: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** What a lock file says of a crate. */
  locked(name: string): string;
  close(): void;
}

function manifestOf({ name, needs = [] }: TestCrate): string {
  const dependencies = needs.map((one) => `${one} = "1"`).join('\n');
  return `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n\n[dependencies]\n${dependencies}\n`;
}

function archive(crate: TestCrate): Buffer {
  const files = { 'Cargo.toml': manifestOf(crate), 'src/lib.rs': crate.lib };
  const entries = Object.entries(files).map(([path, text]) => tarEntry(`${crate.name}-1.0.0/${path}`, text));
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]));
}

/** Where a sparse index has a crate whose name has more than three characters. */
const placeOf = (name: string): string => `/index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;

/**
 * Starts a registry of crates on loopback that speaks the sparse protocol, as that of crates.io does.
 * @param isPrivate whether it speaks https, as a private one must that is no setting of the operator's
 */
export async function startCrateRegistry(
  crates: readonly TestCrate[],
  isPrivate = false,
): Promise<CrateRegistry> {
  const archives = new Map(crates.map((crate) => [crate.name, archive(crate)]));
  const sumOf = (name: string): string =>
    createHash('sha256')
      .update(archives.get(name) ?? '')
      .digest('hex');
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/index/config.json')
      return void response.end(JSON.stringify({ dl: `${base}/dl`, api: null }));
    const crate = crates.find(({ name }) => placeOf(name) === path);
    if (crate !== undefined) {
      const deps = (crate.needs ?? []).map((name) => ({
        name,
        req: '^1',
        features: [],
        optional: false,
        default_features: true,
        target: null,
        kind: 'normal',
      }));
      const { name } = crate;
      const entry = { name, vers: '1.0.0', deps, cksum: sumOf(name), features: {}, yanked: false };
      return void response.end(`${JSON.stringify(entry)}\n`);
    }
    const [, wanted = ''] = /^\/dl\/([\w-]+)\/1\.0\.0\/download$/.exec(path) ?? [];
    const found = archives.get(wanted);
    if (found === undefined) return void response.writeHead(404).end();
    response.end(found);
  };
  const server = isPrivate ? createSecureServer({ key, cert }, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const base = isPrivate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  return {
    index: `${base}/index`,
    asked,
    locked(name) {
      const needs = crates.find((one) => one.name === name)?.needs ?? [];
      const list =
        needs.length === 0 ? '' : `dependencies = [\n${needs.map((one) => ` "${one}",\n`).join('')}]\n`;
      return `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${sumOf(name)}"\n${list}\n`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
