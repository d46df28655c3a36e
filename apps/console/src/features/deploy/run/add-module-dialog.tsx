import { deployEndpoints, type DeployInstance, registryForm } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { registryNameOf, type RunModule } from '../api/instances.ts';

interface AddModuleDialogProps {
  readonly run: DeployInstance;
  readonly module: RunModule;
  readonly onClose: () => void;
}

/** Asks for the name under which a module of a run is kept as a registry. Mounted while it is open. */
export function AddModuleDialog({ run, module, onClose }: AddModuleDialogProps) {
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
