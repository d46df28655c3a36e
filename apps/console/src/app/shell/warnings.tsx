import { TriangleAlert } from 'lucide-react';
import { usePublicConfig } from '../../lib/shared/public-config.ts';

/** What protection the server runs without. */
export function Warnings() {
  const config = usePublicConfig();
  if (!config || config.warnings.length === 0) return null;
  return (
    <aside aria-label="Warnings" className="border-b border-line bg-warn-soft text-sm text-warn">
      <ul>
        {config.warnings.map((warning) => (
          <li key={warning} className="flex items-start gap-2 px-4 py-2 md:px-6">
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            {warning}
          </li>
        ))}
      </ul>
    </aside>
  );
}
