import { canisterEndpoints, type Dapp, type DappVersion } from '@cannery/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { use, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { type ArgumentDraft, ArgumentsContext, openDraft } from '../../../lib/shared/argument-draft.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { interfaceQuery, versionsQuery } from '../api/queries.ts';
import { type PaidExtra, stillToPay } from './install-cost.ts';

type Installed = Pick<Dapp, 'id' | 'wasm'>;

/** The version of a dapp that has this very module; the list that is at hand may be older than the module. */
export async function versionOf(
  client: QueryClient,
  { id, wasm }: Installed,
): Promise<DappVersion | undefined> {
  const isIt = ({ identifier }: DappVersion): boolean => identifier === wasm;
  const known = (await client.ensureQueryData(versionsQuery(id))).find(isIt);
  return known ?? (await client.fetchQuery({ ...versionsQuery(id), staleTime: 0 })).find(isIt);
}

/** The inputs for what an installation of a dapp's module takes; undefined for a module that does not say it. */
export function useDappArguments({ id, wasm }: Installed) {
  const client = useQueryClient();
  const load = use(ArgumentsContext);
  // What is entered for a module is no input for the next one.
  const [entry, setEntry] = useState<{ readonly wasm: Dapp['wasm']; readonly draft: ArgumentDraft }>();
  const draft = entry?.wasm === wasm ? entry?.draft : undefined;
  const setDraft = (next: ArgumentDraft): void => setEntry({ wasm, draft: next });
  const loading = useRef<Promise<ArgumentDraft | undefined>>(undefined);

  useEffect(() => {
    let isOpen = true;
    const read = async (): Promise<ArgumentDraft | undefined> => {
      const version = await versionOf(client, { id, wasm });
      if (version === undefined) return undefined;
      const { init_args: args } = await client.ensureQueryData(interfaceQuery(version.id));
      const opened = await openDraft(load, args);
      if (isOpen && opened !== undefined && opened.count > 0) setEntry({ wasm, draft: opened });
      return opened;
    };
    // A service without these calls has dapps that take nothing, as far as can be told.
    loading.current = read().catch(() => undefined);
    return () => {
      isOpen = false;
    };
  }, [client, id, wasm, load]);

  /** What was entered, in hex; `wrong` when there is something to correct or to enter first. */
  const read = async (): Promise<{ hex: string | undefined } | 'wrong'> => {
    const known = draft ?? (await loading.current);
    if (known === undefined || known.count === 0) return { hex: undefined };
    if (draft === undefined) return 'wrong';
    const entered = draft.read();
    if (entered.ok) return { hex: entered.hex };
    setDraft(entered.draft);
    return 'wrong';
  };

  return { draft, setDraft, read };
}

/** A canister that was created for an instance whose installation did not come to its end. */
interface Begun extends PaidExtra {
  readonly wasm: string;
  readonly name: string;
  readonly canisterId: string;
}

/** What the user says about an instance. */
export interface InstanceRequest {
  /** The module that the arguments are for; a newer one may have come since. */
  readonly wasm: Dapp['wasm'];
  readonly name: string;
  /** T that the canister gets beyond what its creation costs; 0 for none. */
  readonly extra: number;
  /** Candid-encoded arguments in hex; undefined for a module that takes none. */
  readonly argument: string | undefined;
}

/** Whether a canister has a module already: of an installation, the answer may have got lost. */
async function hasModule(id: string, wasm: string): Promise<boolean> {
  const query = { real_time: 'true' } as const;
  const { module_hash: hash } = await api.call(canisterEndpoints.status, { params: { id }, query });
  return [hash].flat().includes(wasm);
}

/** @throws ApiError, also for a refusal in an answer of success */
async function topUp(canisterId: string, amount: number): Promise<void> {
  const { error } = await askOnce(`top up ${canisterId} ${amount}`, (idempotencyKey) =>
    api.call(canisterEndpoints.topUp, { body: { canister_id: canisterId, amount }, idempotencyKey }),
  );
  if (error) throw ApiError.fromAnswer(200, { error });
}

/**
 * Installs a dapp: creates a canister of the instance's name, tops it up if asked to, then installs the dapp's
 * module in it. A second attempt
 * under the same name goes on where the first one stopped, so that no canister is paid for twice.
 * @returns the id of the canister
 */
export function useInstallDapp(id: string) {
  const client = useQueryClient();
  const [begun, setBegun] = useState<Begun>();
  const saysOrigin = usePublicConfig()?.code_origins === true;

  const create = async (module: string, name: string): Promise<Begun> => {
    const canisterId = await askOnce(`install ${module} as ${name}`, (idempotencyKey) =>
      api.call(canisterEndpoints.create, { body: { name }, idempotencyKey }),
    );
    if (canisterId === undefined) {
      throw ApiError.unreadable(canisterEndpoints.create.path, 'The answer has no canister id.');
    }
    return { wasm: module, name, canisterId, extra: 0 };
  };

  /** The instance that an earlier attempt has begun under this name. */
  const begunAs = ({ wasm, name }: Pick<InstanceRequest, 'wasm' | 'name'>): Begun | undefined =>
    begun?.name === name && begun.wasm === wasm ? begun : undefined;

  const mutation = useMutation({
    mutationFn: async ({ wasm, name, extra, argument }: InstanceRequest): Promise<string> => {
      if (!wasm) throw ApiError.unreadable('/marketplace/', 'The dapp has no module.');
      const earlier = begunAs({ wasm, name });
      const goesOn = earlier !== undefined;
      const instance = earlier ?? (await create(wasm, name));
      setBegun(instance);
      const { canisterId } = instance;
      const owed = stillToPay(extra, instance);
      if (owed > 0) {
        await topUp(canisterId, owed);
        setBegun({ ...instance, extra });
      }
      if (!goesOn || !(await hasModule(canisterId, wasm))) {
        const body = { identifier: wasm, canister_id: canisterId, mode: 'install' as const };
        await askOnce(`install ${wasm} in ${canisterId} ${argument ?? ''}`, (idempotencyKey) =>
          api.call(canisterEndpoints.install, {
            codeOrigin: saysOrigin ? { dapp: id } : undefined,
            body: argument === undefined ? body : { ...body, argument_hex: argument },
            idempotencyKey,
          }),
        );
      }
      setBegun(undefined);
      return canisterId;
    },
    onSettled: () => {
      const { canisters, insights, transactions, dapps, dapp, dappInstances } = queryKeys;
      for (const queryKey of [canisters, insights, transactions, dapps, dapp(id), dappInstances]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });

  return { install: mutation.mutateAsync, isInstalling: mutation.isPending, begunAs };
}
