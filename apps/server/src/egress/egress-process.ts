// The process through which builds and fetches of public repositories reach the internet. It holds nothing of the
// server: what a tenant does to it ends connections, not the API.
import { rmSync } from 'node:fs';
import { endWithParent } from '@cannery/network/end-with-parent';
import type { EgressReport, EgressRequest } from './egress-proxy.ts';
import { systemResolve } from './connect.ts';
import { type ConnectionResult, openTunnel, type EgressTunnel } from './egress-tunnel.ts';

const ways = new Map<string, EgressTunnel>();

function report(message: EgressReport): void {
  process.send?.(message);
}

/** How often the server is told of connections, in milliseconds. */
const TELL_MS = 1_000;
const counted = { opened: 0, refused: 0, failed: 0 };
let telling: NodeJS.Timeout | undefined;

/** Counts a connection; however many there are, the server hears of them once in a second. */
function count(result: ConnectionResult): void {
  counted[result] += 1;
  telling ??= setTimeout(() => {
    telling = undefined;
    report({ kind: 'connections', ...counted });
    Object.assign(counted, { opened: 0, refused: 0, failed: 0 });
  }, TELL_MS).unref();
}

async function open(request: EgressRequest & { kind: 'open' }): Promise<void> {
  const { id } = request;
  try {
    const onNote = (text: string): void => report({ kind: 'note', id, text });
    const way = await openTunnel({ ...request, resolve: systemResolve, onNote, onConnection: count });
    ways.set(id, way);
    report({ kind: 'opened', id, port: way.port });
  } catch (error) {
    report({ kind: 'failed', id, message: error instanceof Error ? error.message : 'unknown reason' });
  }
}

process.on('message', (request: EgressRequest) => {
  if (request.kind === 'open') void open(request);
  else {
    ways.get(request.id)?.close();
    ways.delete(request.id);
  }
});
// The channel closes with the server, however that ends; its folder of socket files goes with it.
process.on('disconnect', () => {
  const folder = process.argv[2];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
endWithParent();
