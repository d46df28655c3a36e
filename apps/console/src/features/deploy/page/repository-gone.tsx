import type { Deploy } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AsOf } from '../../../components/connection/as-of.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { shown } from '../../../lib/text/formats.ts';
import { useSaveSettings } from '../api/mutations.ts';
import { ownRepositoriesQuery } from '../api/queries.ts';
import { NotSaved } from '../settings/not-saved.tsx';
import { saveAndTell } from '../settings/save-settings.ts';

/** Says that the repository of a deploy was deleted, and connects the deploy with another one. */
export function RepositoryGone({ deploy }: { deploy: Deploy }) {
  const { data: repositories } = useQuery(ownRepositoriesQuery);
  const [chosen, setChosen] = useState<string>();
  const save = useSaveSettings(deploy);
  const names = repositories?.map(({ name }) => name ?? '') ?? [];
  const repository = chosen ?? names[0] ?? '';
  return (
    <>
      <Notice tone="warn" title={`The repository ${shown(deploy.repo_name)} was deleted`}>
        <p>What is live stays. The next run needs another repository, of the same name or not.</p>
        {repositories !== undefined && names.length === 0 && (
          <p>You have no repository here. Push one, then choose it on this page.</p>
        )}
        <AsOf of={[queryKeys.repositoryAccount]} />
        {names.length > 0 && (
          <form
            className="mt-3 flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              void saveAndTell(save.mutateAsync({ repo_name: repository }));
            }}
          >
            <div className="min-w-0 flex-1 basis-52 sm:max-w-80">
              <Select
                label="Repository"
                options={names.map((name) => ({ value: name, label: name }))}
                value={repository}
                disabled={save.isPending}
                onChange={(name) => {
                  setChosen(name);
                  save.reset();
                }}
                mono
              />
            </div>
            <Button type="submit" disabled={save.isPending}>
              Connect
            </Button>
          </form>
        )}
      </Notice>
      {save.isError && <NotSaved failure={save.error} />}
    </>
  );
}
