import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { DeployType } from '@cannery/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { paths } from '../../config/paths.ts';
import {
  beginConnection,
  deployTypeIn,
  finishConnection,
} from '../../features/repository/github-connection.ts';
import { describeError } from '../../lib/api/api-error.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

const TITLE = 'Connect with GitHub';
const begin = getRouteApi('/signed-in/git/github');
const connected = getRouteApi('/signed-in/git/github/connected');

function Waiting({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-40 place-items-center text-muted">
      <Spinner label={label} className="size-6" />
    </div>
  );
}

interface StoppedProps {
  readonly title: string;
  readonly hint: ReactNode;
  readonly deployType: DeployType;
}

/** Says why nothing was connected, and the ways on. */
function Stopped({ title, hint, deployType }: StoppedProps) {
  const [failure, setFailure] = useState<unknown>();
  const go = (way: 'install' | 'authorize'): void => {
    beginConnection(deployType, way).then((address) => window.location.assign(address), setFailure);
  };
  const { reason, nextStep } = describeError(failure);
  return (
    <Card className="animate-entrance">
      <EmptyState
        drawing="repositories"
        title={failure === undefined ? title : reason}
        hint={failure === undefined ? hint : nextStep}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" onClick={() => go('install')}>
              Choose repositories at GitHub
            </Button>
            <Button onClick={() => go('authorize')}>The app is installed already</Button>
          </div>
        }
      />
    </Card>
  );
}

/** Leads to GitHub's page of the app. */
export function GitHubPage() {
  const { state, way } = begin.useSearch();
  const [failure, setFailure] = useState<unknown>();
  const deployType = deployTypeIn(state);
  usePageTitle(TITLE);
  useEffect(() => {
    beginConnection(deployType, way === 'authorize' ? 'authorize' : 'install').then(
      (address) => window.location.replace(address),
      setFailure,
    );
  }, [deployType, way]);
  if (failure === undefined) return <Waiting label="Going to GitHub" />;
  const { reason, nextStep } = describeError(failure);
  return <Stopped title={reason} hint={nextStep} deployType={deployType} />;
}

/** Where GitHub leads back to: ends the connection and goes on to the repositories. */
export function GitHubConnectedPage() {
  const search = connected.useSearch();
  const [back] = useState(search);
  const [failure, setFailure] = useState<unknown>();
  const navigate = useNavigate();
  const client = useQueryClient();
  const isSent = useRef(false);
  const isAsked = back.setup_action === 'request' && back.installation_id === undefined;
  usePageTitle(TITLE);
  useEffect(() => {
    // The code is good once, and is nothing for the history.
    if (isSent.current || isAsked) return;
    isSent.current = true;
    void navigate({ to: paths.gitHubConnected, search: {}, replace: true });
    finishConnection(back).then(async ({ accounts, deploy_type: type }) => {
      await client.invalidateQueries({ queryKey: queryKeys.repositories });
      toast.tell('github: connected', { text: `Connected with GitHub: ${accounts.join(', ')}` });
      await navigate({ to: paths.deployChoice, search: { type }, replace: true });
    }, setFailure);
  }, [back, client, isAsked, navigate]);
  const deployType = deployTypeIn(back.state);
  if (isAsked) {
    return (
      <Stopped
        title="GitHub has asked an owner of the account"
        hint="Somebody who may install apps there has to approve it. Then come back and press 'The app is installed already'."
        deployType={deployType}
      />
    );
  }
  if (failure === undefined) return <Waiting label="Connecting" />;
  return (
    <Stopped
      title={describeError(failure).reason}
      hint="Nothing was connected. Begin again here."
      deployType={deployType}
    />
  );
}
