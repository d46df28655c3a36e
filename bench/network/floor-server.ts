// The floor: a bare Node server that answers a path that is a size with as many bytes and others with none, /304 with 304 and a POST
// with `reply` bytes. Prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const bodies = new Map<string, Buffer>();
const bodyOf = (size: string): Buffer => {
  const known = bodies.get(size) ?? Buffer.alloc(Number(size) || 0, 'x');
  bodies.set(size, known);
  return known;
};

const server = createServer((request, response) => {
  const [, size = '0'] = request.url?.split('/') ?? [];
  if (request.method === 'GET' && size === '304') {
    response.writeHead(304).end();
    return;
  }
  request.resume();
  request.on('end', () => {
    const body = bodyOf(size);
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length })
      .end(body);
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
