import type { User } from '@cannery/contract';
import { MapPin } from 'lucide-react';
import { Card } from '../../components/ui/card.tsx';
import { BalanceCard } from '../../features/account/balance-card.tsx';
import { InsightFacts } from '../../features/account/insight-facts.tsx';
import { TransactionsTable } from '../../features/account/transactions-table.tsx';
import { ApiTokensCard } from '../../features/api-token/api-tokens-card.tsx';
import { GitTokensCard } from '../../features/repository/git-tokens-card.tsx';
import { SessionsCard } from '../../features/user/sessions-card.tsx';
import { useAuth } from '../../lib/session/auth-state.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { Avatar, displayName } from '../../features/user/avatar.tsx';

export function AccountPage() {
  usePageTitle('Account');
  const { currentUser } = useAuth();
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-xl font-semibold">Account</h1>
      <Card className="flex animate-entrance flex-wrap items-center gap-x-14 gap-y-6 p-5">
        {currentUser && <UserCard user={currentUser} />}
        <InsightFacts />
      </Card>
      <BalanceCard />
      <TransactionsTable />
      <GitTokensCard />
      <ApiTokensCard />
      <SessionsCard />
    </div>
  );
}

/** Who is signed in. */
function UserCard({ user }: { user: User }) {
  return (
    <div className="flex items-center gap-4">
      <Avatar user={user} className="size-16 text-xl" />
      <div className="min-w-0">
        <p className="text-xl font-semibold wrap-anywhere">{displayName(user)}</p>
        <p className="text-muted wrap-anywhere">{user.username ? `@${user.username}` : NOT_AVAILABLE}</p>
        {user.location && (
          <p className="mt-1 flex items-center gap-1 text-sm text-muted">
            <MapPin className="size-3.5" aria-hidden="true" />
            {user.location}
          </p>
        )}
      </div>
    </div>
  );
}
