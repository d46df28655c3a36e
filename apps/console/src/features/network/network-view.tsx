import type { EmbeddedNetwork, PublicConfig } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { GuideLink } from '../../components/ui/guide-link.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { ObjectPage, RailSection } from '../../components/ui/object-page.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { isLoopback } from '../../lib/text/public-address.ts';
import { dfxText, icpText } from './connect-texts.ts';
import { networkQuery } from './network-query.ts';
import { OutcallsCard } from './outcalls-card.tsx';
import { SystemCanistersCard } from './system-canisters-card.tsx';
import { TimeCard } from './time-card.tsx';

const chapter = { page: 'icp-and-cannery', title: 'icp and Cannery' } as const;

/** Where tools find the network, and by what they know it. */
function Rail({ network }: { network: EmbeddedNetwork }) {
  return (
    <>
      <RailSection title={network.addresses.length === 1 ? 'Address' : 'Addresses'}>
        <ul className="flex flex-col gap-1.5">
          {network.addresses.map((address) => (
            <li key={address}>
              <IdText id={address} of="address" />
            </li>
          ))}
        </ul>
      </RailSection>
      <RailSection title="Root key">
        <IdText id={network.root_key} of="root key" short />
        <p className="mt-1 text-sm text-pretty text-muted">Agents verify its answers with it.</p>
      </RailSection>
      <RailSection title="To look inside">
        <Eyes network={network} />
      </RailSection>
    </>
  );
}

const eyeClass = 'inline-flex min-h-6 items-center text-accent hover:underline max-sm:min-h-11';

function Eyes({ network: { dashboard_url: dashboard, metrics_url: metrics } }: { network: EmbeddedNetwork }) {
  if (dashboard === null || metrics === null)
    return (
      <p className="text-sm text-pretty text-muted">
        With NETWORK_DASHBOARD=on the network has a dashboard, and metrics for Prometheus.
      </p>
    );
  // The network shows itself to its own computer only.
  if (!isLoopback(location.href))
    return (
      <p className="text-sm text-pretty text-muted">
        Dashboard and metrics open on the computer of the network only, at {dashboard}.
      </p>
    );
  return (
    <ul className="text-sm">
      {[
        ['Dashboard', dashboard],
        ['Metrics', metrics],
      ].map(([name, address]) => (
        <li key={name}>
          <a href={address} target="_blank" rel="noreferrer" className={eyeClass}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** How a tool of this computer connects. */
function ConnectCard({ network }: { network: EmbeddedNetwork }) {
  return (
    <Card className="animate-entrance" aria-label="Connect a tool">
      <CardHeader title="Connect a tool" actions={<GuideLink chapter={chapter} />} />
      <div className="grid gap-4 border-t border-line px-5 py-4 md:grid-cols-2">
        <div className="min-w-0">
          <h3 className="mb-1.5 text-sm font-medium">icp, in icp.yaml</h3>
          <CommandBlock text={icpText(network)} label="Copy the network for icp.yaml" />
        </div>
        <div className="min-w-0">
          <h3 className="mb-1.5 text-sm font-medium">dfx, in networks.json</h3>
          <CommandBlock text={dfxText(network)} label="Copy the network for networks.json" />
        </div>
      </div>
    </Card>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the network" className="flex flex-col gap-5">
      {['h-20', 'h-20', 'h-92'].map((height, card) => (
        <Skeleton key={card} className={`w-full rounded-card ${height}`} />
      ))}
    </div>
  );
}

/** The embedded network: its time, what canisters may do, what it brings along, and how one connects. */
export function NetworkView({ config }: { config: PublicConfig }) {
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery(networkQuery);
  return (
    <div className="flex flex-col gap-5">
      <header>
        <h1 className="text-2xl font-semibold">Network</h1>
        <p className="text-pretty text-muted">
          The network that {config.product_name} runs on this computer, for development.
        </p>
      </header>
      {data ? (
        <ObjectPage rail={<Rail network={data} />}>
          <TimeCard network={data} answeredAt={dataUpdatedAt} />
          <OutcallsCard network={data} />
          <SystemCanistersCard services={data.services} />
          <ConnectCard network={data} />
        </ObjectPage>
      ) : isPending ? (
        <Loading />
      ) : (
        <Card>
          <ErrorState
            title="The network cannot be shown."
            error={error}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          />
        </Card>
      )}
    </div>
  );
}
