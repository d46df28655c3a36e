import type { RepositoryContent } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { FailureNotice } from '../../components/ui/failure-notice.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { shown } from '../../lib/text/formats.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { repositoryUsesQuery, useDeleteRepository, useRenameRepository } from './repositories.ts';

type Named = Pick<RepositoryContent, 'owner' | 'name'>;

interface UsesProps {
  readonly of: Named;
  /** What becomes of them, by their number. */
  readonly fate: (count: number) => string;
}

/** The deploys that use a repository, with what becomes of them. */
function Uses({ of: { owner, name }, fate }: UsesProps) {
  const { data: uses, isError, refetch } = useQuery(repositoryUsesQuery({ owner, repo: name }));
  if (uses === undefined && isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <span>The DApps that use it could not be loaded.</span>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (uses === undefined) return <Skeleton className="h-10 w-full" />;
  if (uses.deploys.length === 0) return <p className="text-sm text-muted">No DApp uses it.</p>;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {uses.deploys.length === 1 ? 'One DApp uses it.' : `${uses.deploys.length} DApps use it.`}{' '}
        {fate(uses.deploys.length)}
      </p>
      <ul
        aria-label="DApps that use the repository"
        className="max-h-44 divide-y divide-line overflow-y-auto rounded-card border border-line bg-sunken"
      >
        {uses.deploys.map(({ id, name }) => (
          <li key={id} className="px-4 py-2 font-medium wrap-anywhere">
            {shown(name)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ChangeDialogProps {
  readonly repository: Named;
  readonly onClose: () => void;
}

/** Asks for another name. Mounted while it is open. */
function RenameDialog({
  repository,
  onClose,
  onRenamed,
}: ChangeDialogProps & { onRenamed: (name: string) => void }) {
  const { owner, name } = repository;
  const rename = useRenameRepository();
  const [wanted, setWanted] = useState(name);
  const to = wanted.trim();
  const isNew = to !== '' && to !== name;
  const confirm = (): void => {
    if (!isNew || rename.isPending) return;
    rename.mutate(
      { owner, repo: name, name: to },
      {
        onSuccess: (renamed) => {
          toast.tell('repository: renamed');
          onRenamed(renamed.name);
        },
      },
    );
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={`Rename ${name}`}
      description="The old address ends: clones need the new one, by 'git remote set-url'."
      action="Rename"
      busy={rename.isPending}
      disabled={!isNew}
      onAction={confirm}
    >
      <TextField
        label="New name"
        mono
        value={wanted}
        disabled={rename.isPending}
        onChange={(event) => setWanted(event.target.value)}
      />
      <Uses
        of={repository}
        fate={(count) => `${count === 1 ? 'It goes' : 'They go'} along with the new name.`}
      />
      {rename.error !== null && !rename.isPending && (
        <FailureNotice title="The repository was not renamed" error={rename.error} />
      )}
    </ActionDialog>
  );
}

/** Asks before a repository is deleted, and for its name. Mounted while it is open. */
function DeleteDialog({ repository, onClose, onDeleted }: ChangeDialogProps & { onDeleted: () => void }) {
  const { owner, name } = repository;
  const remove = useDeleteRepository();
  const [typed, setTyped] = useState('');
  const isMeant = typed.trim() === name;
  const confirm = (): void => {
    if (!isMeant || remove.isPending) return;
    remove.mutate(
      { owner, repo: name },
      {
        onSuccess: () => {
          toast.tell('repository: deleted');
          onDeleted();
        },
      },
    );
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      description="This cannot be undone. All its branches, tags and commits are deleted."
      action="Delete repository"
      danger
      busy={remove.isPending}
      disabled={!isMeant}
      onAction={confirm}
    >
      <Uses
        of={repository}
        fate={(count) =>
          `What is live stays; ${count === 1 ? 'it needs' : 'they need'} another repository before the next run.`
        }
      />
      <TextField
        label={`Type ${name} to delete the repository`}
        mono
        value={typed}
        disabled={remove.isPending}
        onChange={(event) => setTyped(event.target.value)}
      />
      {remove.error !== null && !remove.isPending && (
        <FailureNotice title="The repository was not deleted" error={remove.error} />
      )}
    </ActionDialog>
  );
}

interface RepositoryChangesProps {
  readonly repository: Named;
  readonly onRenamed: (name: string) => void;
  readonly onDeleted: () => void;
}

/** The end of a repository's page: another name for it, and what deletes it. */
export function RepositoryChanges({ repository, onRenamed, onDeleted }: RepositoryChangesProps) {
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null);
  const close = (): void => setAsks(null);
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-lg font-semibold">Rename or delete</h2>
        <p className="text-sm text-pretty text-muted">
          DApps that use the repository go along with a new name. A deleted repository is lost for good.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAsks('rename')}>
          <Pencil className="size-4" aria-hidden="true" />
          Rename
        </Button>
        <Button variant="danger" onClick={() => setAsks('delete')}>
          <Trash2 className="size-4" aria-hidden="true" />
          Delete repository
        </Button>
      </div>
      {asks === 'rename' && <RenameDialog repository={repository} onClose={close} onRenamed={onRenamed} />}
      {asks === 'delete' && <DeleteDialog repository={repository} onClose={close} onDeleted={onDeleted} />}
    </Card>
  );
}
