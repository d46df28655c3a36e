import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/ui/button-class.ts';
import { Card } from '../../components/ui/card.tsx';
import { paths } from '../../config/paths.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

/** Says that a page of the product does not exist yet. */
export function UnbuiltPage({ title }: { title: string }) {
  usePageTitle(title);
  return (
    <Card className="animate-entrance px-5 py-12 text-center">
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="mt-1 text-sm text-muted">This page is not built yet.</p>
      <Link to={paths.home} className={buttonClass({ className: 'mt-6' })}>
        Back to Home
      </Link>
    </Card>
  );
}
