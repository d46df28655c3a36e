import { Card } from '../../components/ui/card.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** Holds the address until pipelines are there; it does nothing. */
export function PipelinesCreatePage() {
  usePageTitle('Create new pipeline');
  return (
    <Card className="animate-entrance px-5 py-12 text-center">
      <h1 className="text-xl font-semibold">Create new pipeline</h1>
      <p className="mt-1 text-sm text-muted">Pipelines are not available yet.</p>
    </Card>
  );
}
