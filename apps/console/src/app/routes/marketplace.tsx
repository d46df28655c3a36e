import { Marketplace } from '../../features/marketplace/marketplace.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

export function MarketplacePage() {
  usePageTitle('Marketplace');
  return <Marketplace />;
}
