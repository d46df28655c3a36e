import { type Session, sessionEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { RailSection } from '../../components/ui/object-page.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { ApiError, serverText } from '../../lib/api/api-error.ts';
import { api } from '../../lib/api/api.ts';
import { session } from '../../lib/session/current-session.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { ago, uploadDate } from '../../lib/text/formats.ts';
import { toast } from '../../lib/toasts/toast-store.ts';

interface SignOutEverywhereProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Asks before all sessions end. */
function SignOutEverywhere({ open, onOpenChange }: SignOutEverywhereProps) {
  const [busy, setBusy] = useState(false);
  const signOut = async (): Promise<void> => {
    setBusy(true);
    try {
      await session.signOutEverywhere();
    } catch (failure) {
      setBusy(false);
      toast.tell('session: none ended', { text: serverText(failure) });
    }
  };
  return (
    <ActionDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title="Sign out everywhere?"
      description="All sessions end at once, this one too. Access tokens for git and API tokens stay as they are."
      action="Sign out everywhere"
      danger
      busy={busy}
      onAction={() => void signOut()}
    />
  );
}

/** Where the user is signed in, the last used first. */
const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api.call(sessionEndpoints.list, { signal }),
});

/** Ends another session of the user. */
function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call(sessionEndpoints.end, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}

/** The time of last use is exact to a minute; the session that shows the page is in use. */
function usage(session: Session): string {
  const began = `Signed in ${uploadDate(session.created_at)}`;
  return session.current ? `${began}, in use now` : `${began}, last used ${ago(session.last_used_at)}`;
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndSession();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex min-h-6 flex-wrap items-center gap-x-2 font-medium">
          {session.device}
          {session.current && <Chip tone="ok">This browser</Chip>}
        </p>
        <p className="text-sm text-muted">{usage(session)}</p>
      </div>
      {!session.current && (
        <Button
          size="small"
          aria-label={`End session: ${session.device}`}
          busy={end.isPending}
          onClick={() =>
            end.mutate(session.id, {
              onSuccess: () => toast.tell('session: ended'),
              onError: (failure) => toast.tell('session: not ended', { text: serverText(failure) }),
            })
          }
        >
          End session
        </Button>
      )}
    </li>
  );
}

/** Where the user is signed in, and the ways to end that. */
export function SessionsSection() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [asking, setAsking] = useState(false);
  // A service that keeps no list has nothing to show here.
  if (error instanceof ApiError && error.status === 404) return null;
  return (
    <RailSection title="Sessions" label="Sessions">
      <p className="mb-2 text-sm text-pretty text-muted">
        A session ends after 30 days, or earlier when nobody uses it.
      </p>
      {data === undefined && error !== null && (
        <ErrorState
          title="Cannot load sessions."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      )}
      {data === undefined && error === null && (
        <div className="flex h-15 flex-col justify-center gap-2">
          <Skeleton className="w-40" />
          <Skeleton className="w-56" />
        </div>
      )}
      <ul>
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <Button size="small" className="mt-2" disabled={data === undefined} onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <SignOutEverywhere open={asking} onOpenChange={setAsking} />
    </RailSection>
  );
}
