import { useMemo, useState } from 'react';
import { Button, buttonClass } from '../components/ui/button.tsx';
import { CopyButton } from '../components/ui/copy-button.tsx';
import { Skeleton } from '../components/ui/skeleton.tsx';
import { paths } from '../config/paths.ts';
import { answeredCanister } from '../lib/browser/answered-canister.ts';
import { MANAGEMENT, systemName } from '../lib/shared/system-canisters.ts';
import { type Caller, useCaller } from './caller/use-caller.ts';
import { type SendCall, sendByAgent } from './calls/call-method.ts';
import { CallerCard, CanisterFactsCard } from './components/caller/caller-card.tsx';
import { DidForm } from './components/did-form.tsx';
import { ProblemView } from './components/problem-view.tsx';
import { ServiceView } from './components/service-view.tsx';
import type { Network } from './connect.ts';
import type { CanisterFacts } from './load-canister.ts';
import { readInterface, useCanister, usePublished } from './use-canister.ts';

/** The console as a caller: its principal, and how it makes calls. */
interface ConsoleCaller {
  readonly principal: string;
  readonly send: SendCall;
}

interface CanisterPageProps {
  readonly id: string;
  readonly host: string | undefined;
  /** Where the page is part of the console, and the console can call. */
  readonly controller?: ConsoleCaller | undefined;
  /** Whether the page stands below the canister's name and facts. */
  readonly isPart?: boolean;
  /** Hash of the code as the page around knows it; null for an empty canister. */
  readonly moduleHash?: string | null;
}

/** The page of one canister: reads it from the network and shows its methods, or says why it cannot. */
export function CanisterPage({
  id,
  host,
  controller: offered,
  isPart = false,
  moduleHash,
}: CanisterPageProps) {
  const { load, reload } = useCanister(id, host, moduleHash);
  const controllers = load.phase === 'loaded' ? load.facts.controllers : [];
  const controller = offered && controllers.includes(offered.principal) ? offered : undefined;
  const caller = useCaller(controller?.principal);
  if (caller === undefined) return <Loading id={id} />;
  switch (load.phase) {
    case 'loading':
      return <Loading id={id} />;
    case 'failed':
      return (
        <ProblemView title={load.error.title} hint={`${load.error.message} ${load.error.nextStep}`}>
          <Button variant="primary" onClick={reload}>
            Try again
          </Button>
          <CopyButton text={load.error.detail} label="Copy error details" />
        </ProblemView>
      );
    case 'absent':
      return (
        <ProblemView title="There is no such canister" hint={absenceOf(id, load.network.url)}>
          <a href={paths.canisters} className={buttonClass({ variant: 'primary' })}>
            Your canisters
          </a>
        </ProblemView>
      );
    case 'loaded':
      return (
        <LoadedCanister
          // Other code has other methods.
          key={load.facts.moduleHash}
          network={load.network}
          facts={load.facts}
          caller={caller}
          controller={controller}
          isPart={isPart}
          onReload={reload}
        />
      );
  }
}

/** Why a network has no such canister. */
function absenceOf(id: string, url: string): string {
  if (id === MANAGEMENT)
    return 'The management canister is the network itself, as canisters call it. It has no code, and publishes no interface.';
  const system = systemName(id);
  return system === undefined
    ? `The network at ${url} has no canister ${id}. It may have been deleted, or it lives on another network.`
    : `${system} is a canister of the system, which the network at ${url} was started without.`;
}

function Loading({ id }: { id: string }) {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <p role="status" className="sr-only">{`Reading the interface of ${id}`}</p>
      <Skeleton className="h-20 w-full" />
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="h-16 w-full" />
      ))}
    </div>
  );
}

/** Sends as before, and writes down that the canister has answered: the service does not see this call. */
function noted(send: SendCall, id: string): SendCall {
  return async (method, arg) => {
    const answer = await send(method, arg);
    if (answer.reply !== undefined) answeredCanister.note(id);
    return answer;
  };
}

interface LoadedCanisterProps {
  readonly network: Network;
  readonly facts: CanisterFacts;
  readonly caller: Caller;
  readonly controller: ConsoleCaller | undefined;
  readonly isPart: boolean;
  readonly onReload: () => void;
}

function LoadedCanister({ network, facts, caller, controller, isPart, onReload }: LoadedCanisterProps) {
  const [given, setGiven] = useState<string>();
  const agent = useMemo(() => network.agentOf(caller.identity), [network, caller.identity]);
  const published = usePublished(agent, facts, caller.principal);
  const did = given ?? published;
  const read = useMemo(() => (did === undefined ? undefined : readInterface(did)), [did]);
  const { id } = facts;
  const send = useMemo(
    () => (caller.way === 'console' && controller ? controller.send : noted(sendByAgent(agent, id), id)),
    [caller.way, controller, agent, id],
  );
  const isController = caller.principal !== undefined && facts.controllers.includes(caller.principal);
  return (
    <>
      {isPart ? (
        <CallerCard caller={caller} isController={isController} />
      ) : (
        <CanisterFactsCard
          moduleHash={facts.moduleHash}
          network={network.url}
          caller={caller}
          isController={isController}
        />
      )}
      {facts.moduleHash === undefined ? (
        <ProblemView
          title="No code is installed"
          hint="The canister exists, but it is empty. Install a WASM on its page, then its methods appear here."
        >
          {!isPart && (
            <a href={paths.canister.replace('$id', id)} className={buttonClass({ variant: 'primary' })}>
              Open the canister
            </a>
          )}
          <Button onClick={onReload}>Look again</Button>
        </ProblemView>
      ) : read === undefined ? (
        <ProblemView
          title="This canister publishes no interface"
          hint="It has no public candid:service metadata. Give its .did text to call it anyway."
        >
          <DidForm startsWith="" onUse={setGiven} />
        </ProblemView>
      ) : 'problem' in read ? (
        <ProblemView title="The interface cannot be read" hint={`${read.problem.message}. Correct it below.`}>
          <DidForm startsWith={did ?? ''} onUse={setGiven} />
        </ProblemView>
      ) : (
        <ServiceView
          network={network}
          agent={agent}
          send={send}
          id={id}
          service={read.service}
          did={did ?? ''}
          caller={caller.principal}
          // The answer to a call of the console tells what it cost.
          readsBalance={isController && caller.way !== 'console'}
        />
      )}
    </>
  );
}
