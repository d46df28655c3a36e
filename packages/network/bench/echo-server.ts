// The yardstick of the HTTP benchmarks: a bare Node server that reads a body and sends back a number of bytes.
// The number is the only argument; the port is printed on standard output.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = Buffer.alloc(Number(process.argv[2]), 7);
const server = createServer((request, response) => {
  const chunks: Uint8Array[] = [];
  request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/cbor', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`network ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
