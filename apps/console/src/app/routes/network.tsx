import { notFound, rootRouteId } from '@tanstack/react-router';
import { NetworkView } from '../../features/network/network-view.tsx';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** The page of the embedded network. With another network there is no such page. */
export function NetworkPage() {
  const config = usePublicConfig();
  usePageTitle('Network');
  if (config === undefined) return null;
  if (config.embedded_network !== true) throw notFound({ routeId: rootRouteId });
  return <NetworkView config={config} />;
}
