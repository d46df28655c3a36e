import type { Deploy, ProjectPlanAnswer } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { deployPlanQuery } from '../api/queries.ts';

type Planned = ProjectPlanAnswer['canisters'][number];

/** What a canister of a project is filled with, in words. */
const kindTexts: ReadonlyMap<string, string> = new Map([
  ['rust', 'Rust'],
  ['motoko', 'Motoko'],
  ['site', 'Website'],
  ['module', 'WebAssembly'],
]);

/** Whether the project may have several canisters: one that was deployed with a single one is deployed as a whole. */
export function hasParts({ type, parts }: Deploy): boolean {
  return (type === 'MOTOKO' || type === 'CUSTOM') && parts.length !== 1;
}

/** The canisters of a plan that a run can be limited to. */
function choosable({ canisters }: ProjectPlanAnswer): Planned[] {
  return canisters.filter(({ kind }) => kind !== 'left');
}

/** Such as 'Motoko' or 'Website, new'. */
function plannedText({ kind, canister_id: id }: Planned): string {
  const what = kindTexts.get(kind) ?? kind;
  return id === null ? `${what}, new` : what;
}

/** The label of the button that starts the run. */
function startLabel(count: number): string {
  if (count === 0) return 'Choose canisters';
  return count === 1 ? 'Deploy 1 canister' : `Deploy ${count} canisters`;
}

interface DeployPartDialogProps {
  readonly deploy: Deploy;
  readonly lastRun: string;
  readonly onClose: () => void;
  /** Resolves to whether the service has answered, also with a refusal. */
  readonly onTrigger: (canisters: readonly string[]) => Promise<boolean>;
}

/** Asks which canisters of the project a run deploys; the branch is read for that. */
export function DeployPartDialog({ deploy, lastRun, onClose, onTrigger }: DeployPartDialogProps) {
  const { data: plan, error, refetch } = useQuery(deployPlanQuery(deploy.id, lastRun));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    if (chosen.size === 0 || isStarting) return;
    setStarting(true);
    const isAnswered = await onTrigger([...chosen]);
    setStarting(false);
    if (isAnswered) onClose();
  };
  return (
    <ActionDialog
      onClose={onClose}
      title="Deploy a part"
      description="Only what you choose is deployed. What it needs is deployed too where it is not live yet; everything else stays as it is."
      action={startLabel(chosen.size)}
      busy={isStarting}
      disabled={chosen.size === 0}
      onAction={() => void start()}
    >
      {plan === undefined && error === null && <LoadingParts />}
      {plan === undefined && error !== null && (
        <ErrorState
          title="The canisters of this project cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      )}
      {plan !== undefined && <Parts plan={plan} chosen={chosen} onChange={setChosen} />}
    </ActionDialog>
  );
}

function LoadingParts() {
  return (
    <div role="status" aria-label="Reading the project" className="flex flex-col gap-2 py-2">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-11 w-full" />
    </div>
  );
}

interface PartsProps {
  readonly plan: ProjectPlanAnswer;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

function Parts({ plan, chosen, onChange }: PartsProps) {
  const describedBy = useId();
  const canisters = choosable(plan);
  if (canisters.length === 0) {
    return (
      <p className="py-2 wrap-anywhere text-muted">
        {plan.problem ?? 'The newest commit of the branch has no canister that can be deployed.'}
      </p>
    );
  }
  const toggle = (name: string, isWanted: boolean): void => {
    const next = new Set(chosen);
    if (isWanted) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <fieldset>
      <legend className="sr-only">Canisters to deploy</legend>
      <ul className="divide-y divide-line">
        {canisters.map((one, place) => (
          <li key={one.name}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5">
              <input
                type="checkbox"
                aria-label={one.name}
                aria-describedby={`${describedBy}-${place}`}
                checked={chosen.has(one.name)}
                onChange={(event) => toggle(one.name, event.target.checked)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">{one.name}</span>
              <span id={`${describedBy}-${place}`} className="text-sm whitespace-nowrap text-muted">
                {plannedText(one)}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
