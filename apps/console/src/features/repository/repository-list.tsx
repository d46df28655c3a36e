import type { Repository } from '@cannery/contract';
import { GitBranch, Lock } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { SearchField } from '../../components/ui/search-field.tsx';
import { shown } from '../../lib/text/formats.ts';
import { pageSizes } from '../../lib/table/paging.ts';

/** The repositories whose name holds the text, ignoring case. */
export function searchRepositories(list: readonly Repository[], text: string): readonly Repository[] {
  const wanted = text.toLowerCase();
  return wanted === '' ? list : list.filter(({ name }) => name.toLowerCase().includes(wanted));
}

interface RepositoryListProps {
  readonly repositories: readonly Repository[];
  readonly onConnect: (repository: Repository) => void;
}

/** The user's repositories with a search by name. */
export function RepositoryList({ repositories, onConnect }: RepositoryListProps) {
  const [search, setSearch] = useState('');
  const found = searchRepositories(repositories, search);
  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Your repositories"
        actions={
          <SearchField
            label="Search repositories"
            value={search}
            onChange={setSearch}
            className="w-56 max-sm:w-auto max-sm:flex-1"
          />
        }
      />
      <Paged rows={found} sizes={pageSizes} startSize={25}>
        {(page) => (
          <ul aria-label="Repositories" className="max-h-96 overflow-y-auto border-t border-line">
            {page.rows.map((repository) => {
              const name = `${shown(repository.owner.login)} / ${shown(repository.name)}`;
              return (
                <li
                  key={name}
                  className="flex min-h-12 items-center gap-3 border-b border-line px-5 py-2 last:border-0"
                >
                  <GitBranch className="size-4 shrink-0 text-muted" aria-hidden="true" />
                  <span className="flex min-w-0 flex-1 items-center gap-2">
                    <span className="truncate">{name}</span>
                    {repository.private && (
                      <Lock className="size-3.5 shrink-0 text-muted" role="img" aria-label="private" />
                    )}
                  </span>
                  <Button
                    size="small"
                    disabled={repository.name === '' || repository.owner.login === ''}
                    onClick={() => onConnect(repository)}
                  >
                    Connect
                  </Button>
                </li>
              );
            })}
            {found.length === 0 && (
              <li className="px-5 py-6 text-center text-sm text-muted">No repository name contains this.</li>
            )}
          </ul>
        )}
      </Paged>
    </Card>
  );
}
