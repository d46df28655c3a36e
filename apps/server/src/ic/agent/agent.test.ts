import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnonymousIdentity } from '@icp-sdk/core/agent';
import { expect, test } from 'vitest';
import { NetworkClock } from '../../network/network-time.ts';
import { agentSource } from './agent.ts';
import { BoundaryNodes } from './boundary-nodes.ts';

test('a network that takes requests and never answers counts as away', async () => {
  let requests = 0;
  const silent = createServer(() => {
    requests += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = silent.address() as AddressInfo;
    const agents = agentSource({
      nodes: new BoundaryNodes([`http://127.0.0.1:${port}`]),
      identity: new AnonymousIdentity(),
      isMainnet: false,
      timeoutMs: 100,
      time: new NetworkClock({ isRight: true }),
    });
    await expect(agents.with((agent) => agent.status())).rejects.toMatchObject({
      code: 'network_unavailable',
    });
    expect(requests).toBeGreaterThan(0);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
