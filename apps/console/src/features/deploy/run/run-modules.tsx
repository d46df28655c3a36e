import type { DeployInstance } from '@cannery/contract';
import { BookPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { AddModuleDialog } from './add-module-dialog.tsx';
import { modulesOf, type RunModule } from '../api/instances.ts';

/** The code that a successful run has put into canisters; each module can become a registry entry. */
export function RunModules({ run }: { run: DeployInstance }) {
  const [chosen, choose] = useState<RunModule>();
  const modules = modulesOf(run);
  if (modules.length === 0) return null;
  return (
    <div className="px-5 pb-4">
      <ul
        aria-label="Modules of this run"
        className="divide-y divide-line rounded-card border border-line text-sm"
      >
        {modules.map((module) => (
          <li key={module.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2">
            <span className="min-w-0 font-medium wrap-anywhere">{module.name}</span>
            <span title={module.hash} className="font-mono text-muted">
              {module.hash.slice(0, 10)}
            </span>
            <span className="whitespace-nowrap text-muted">{byteSize(module.size)}</span>
            <Button
              size="small"
              className="ml-auto max-sm:ml-0"
              aria-label={`Add to registry: ${module.name}`}
              onClick={() => choose(module)}
            >
              <BookPlus className="size-4" aria-hidden="true" />
              Add to registry
            </Button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <AddModuleDialog run={run} module={chosen} onClose={() => choose(undefined)} />
      )}
    </div>
  );
}
