import { deployEndpoints, type DeployInstance, registryForm } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BookPlus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { modulesOf, registryNameOf, type RunModule } from '../api/instances.ts';

interface AddModuleDialogProps {
  readonly run: DeployInstance;
  readonly module: RunModule;
  readonly onClose: () => void;
}

/** Asks for the name under which a module of a run is kept as a registry. Mounted while it is open. */
function AddModuleDialog({ run, module, onClose }: AddModuleDialogProps) {
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(registryForm),
    defaultValues: { name: registryNameOf(module, run) },
  });
  const { name: canister } = module;
  const { id: instanceId } = run;
  const id = run.deploy_id ?? '';
  const add = useMutation({
    mutationFn: (name: string) =>
      askOnce(`add module ${id} ${instanceId} ${canister} ${name}`, (idempotencyKey) =>
        api.call(deployEndpoints.addModule, {
          params: { id, instanceId },
          body: { canister, name },
          idempotencyKey,
        }),
      ),
    onSuccess: (_answer, name) => {
      toast.tell('deploy: module in the registries', { hint: name });
      onClose();
      return client.invalidateQueries({ queryKey: queryKeys.registries });
    },
  });
  const submit = handleSubmit(({ name }) => {
    if (!add.isPending) add.mutate(name);
  });

  return (
    <ActionDialog
      onClose={onClose}
      title="Add to registry"
      description={`The module that this run put into ${canister} becomes version 1 of a new registry, ready to be installed in any canister.`}
      action="Add"
      busy={add.isPending}
      onAction={() => void submit()}
    >
      <TextField
        label="Name"
        error={formState.errors.name?.message}
        disabled={add.isPending}
        {...register('name')}
      />
      {add.error !== null && !add.isPending && (
        <FailureNotice title="The module was not added" error={add.error} />
      )}
    </ActionDialog>
  );
}

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
