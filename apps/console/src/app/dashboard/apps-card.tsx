import { Link } from '@tanstack/react-router';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { paths } from '../../config/paths.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { AppRow } from './app-row.tsx';
import type { App } from './apps.ts';

/** What changed last; the lists have the rest. */
const SHOWN = 8;

const linkClass = 'py-0.5 text-sm text-accent hover:underline max-sm:py-2';

/** The apps of a user, what changed last first. */
export function AppsCard({ apps }: { apps: readonly App[] }) {
  const config = usePublicConfig();
  return (
    <Card aria-label="Apps" className="animate-entrance">
      <CardHeader
        title="Apps"
        note={apps.length > SHOWN ? 'Recently changed' : undefined}
        actions={
          <span className="flex gap-5">
            <Link to={paths.deployChoice} search={{ type: 'STATIC_SITE' }} className={linkClass}>
              New app
            </Link>
            <Link to={paths.canisters} className={linkClass}>
              All canisters
            </Link>
          </span>
        }
      />
      <ul className="border-t border-line">
        {apps.slice(0, SHOWN).map((app) => (
          <AppRow key={app.key} app={app} config={config} />
        ))}
        {apps.length === 0 && (
          <li className="px-5 py-6 text-sm text-muted">Your apps cannot be shown right now. Trying again.</li>
        )}
      </ul>
    </Card>
  );
}
