import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A package of a registry of the test's own. */
export interface TestPackage {
  readonly files: Record<string, string>;
  readonly manifest?: Record<string, unknown>;
  /** Where its tarball is said to be, when that is not the registry. */
  readonly tarball?: string;
  /** Where the request for its tarball or its description is sent on to. */
  readonly redirects?: { readonly tarball?: string; readonly description?: string };
}

export interface PackageRegistry {
  readonly port: number;
  /** Values of the header authorization that came. */
  readonly authorizations: string[];
  close(): void;
}

/** Bytes of a block of an archive; two empty ones end it. */
export const BLOCK = 512;

/** One file as an entry of a tar archive (POSIX ustar). */
export function tarEntry(name: string, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
}

function archive(name: string, one: TestPackage): Buffer {
  const manifest = JSON.stringify({ name, version: '1.0.0', ...one.manifest });
  const entries = Object.entries({ 'package.json': manifest, ...one.files });
  const parts = entries.map(([path, text]) => tarEntry(`package/${path}`, text));
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/** Starts a registry on loopback that speaks as much of npm's protocol as an installation needs. */
export async function startPackageRegistry(packages: Record<string, TestPackage>): Promise<PackageRegistry> {
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) authorizations.push(request.headers.authorization);
    const [, name = '', isTarball] = /^\/([^/]+)(\/-\/.*)?$/.exec(request.url ?? '') ?? [];
    const one = packages[name];
    if (one === undefined) return void response.writeHead(404).end('{}');
    const away = isTarball === undefined ? one.redirects?.description : one.redirects?.tarball;
    if (away !== undefined) return void response.writeHead(302, { Location: away }).end();
    const bytes = archive(name, one);
    if (isTarball !== undefined) return void response.end(bytes);
    const { port } = server.address() as AddressInfo;
    const number = String(one.manifest?.version ?? '1.0.0');
    const tarball = one.tarball ?? `http://127.0.0.1:${port}/${name}/-/${name}-${number}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const version = { name, version: '1.0.0', ...one.manifest, dist: { tarball, integrity } };
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        name: version.name,
        'dist-tags': { latest: number },
        // Tools do not take what is too new.
        time: { [number]: '2026-01-01T00:00:00.000Z' },
        versions: { [number]: version },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    authorizations,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
