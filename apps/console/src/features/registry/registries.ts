import { type Registry, registryEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import type { RegistriesPage } from '../../lib/shared/registries.ts';
import type { SavingStep } from './registry-steps.ts';
import { type RegistryDraft, saveRegistry } from './save-registry.ts';

/** What the module of a version tells of itself; a version never changes. */
export function registryModuleQuery(id: string, version: number) {
  return queryOptions({
    queryKey: queryKeys.registryModule(id, version),
    queryFn: ({ signal }) =>
      api.call(registryEndpoints.module, { params: { id, number: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What changes from one version to another. */
export function registryComparisonQuery(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: queryKeys.registryComparison(id, from, to),
    queryFn: ({ signal }) =>
      api.call(registryEndpoints.compare, {
        params: { id },
        query: { from: String(from), to: String(to) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Adds a registry, or updates the given one; a failure stays in `step` and is thrown as well. */
export function useSaveRegistry(entry: Registry | undefined) {
  const client = useQueryClient();
  const [step, setStep] = useState<SavingStep>({ at: 'idle' });
  const run = useRef<AbortController>(undefined);
  const abort = (): void => run.current?.abort();
  useEffect(() => abort, []);

  const save = async (draft: RegistryDraft): Promise<void> => {
    abort();
    const { signal } = (run.current = new AbortController());
    await saveRegistry(api, draft, { entry, signal, tell: setStep });
    // The dialog closes on a list that shows what was saved, or, if it cannot be read now, on the one before.
    await Promise.all(
      [queryKeys.registries, queryKeys.registry(entry?.id ?? '')].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  };
  return { step, save, abort };
}

/** Deletes a registry and takes it off the list. */
export function useDeleteRegistry(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.call(registryEndpoints.delete, { params: { id } }),
    onSuccess: () => {
      client.setQueriesData<RegistriesPage>({ queryKey: queryKeys.registryPages }, (page) => {
        if (!page?.registries.some((row) => row.id === id)) return page;
        const registries = page.registries.filter((row) => row.id !== id);
        return { ...page, registries, total: page.total - 1 };
      });
      void client.invalidateQueries({ queryKey: queryKeys.registries });
    },
  });
}
