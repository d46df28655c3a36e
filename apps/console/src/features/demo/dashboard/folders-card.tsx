import { useState } from 'react';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Tabs } from '../../../components/ui/tabs.tsx';
import { type Area, areas, folders } from './dashboard-content.ts';

function Folder({ name, files }: { name: string; files: number }) {
  return (
    <li className="flex items-center gap-3 rounded-card border border-line px-3.5 py-3">
      <svg viewBox="0 0 24 20" className="h-5 shrink-0 fill-accent" aria-hidden="true">
        <path d="M2 0h7l2.5 3H22a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z" />
      </svg>
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-sm text-muted">{files} files</span>
      </span>
    </li>
  );
}

/** Folders of three areas; each tab says how many it has. */
export function FoldersCard() {
  const [area, setArea] = useState<Area>('Work');
  return (
    <Card aria-label="Folders" className="animate-entrance">
      <CardHeader title="Folders" />
      <div className="px-5 pb-5">
        <Tabs
          label="Areas"
          value={area}
          onChange={setArea}
          tabs={areas.map((value) => ({
            value,
            label: (
              <>
                {value}{' '}
                <span className="ml-1 rounded-full bg-sunken px-2 py-0.5 text-xs text-muted">
                  {folders[value].length}
                  <span className="sr-only"> folders</span>
                </span>
              </>
            ),
            content: (
              <ul aria-label={`Folders of ${value}`} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
                {folders[value].map((folder) => (
                  <Folder key={folder.name} {...folder} />
                ))}
              </ul>
            ),
          }))}
        />
      </div>
    </Card>
  );
}
