import type { User } from '@cannery/contract';
import { MapPin } from 'lucide-react';
import { ObjectPage } from '../../components/ui/object-page.tsx';
import { BalanceCard } from '../../features/account/balance-card.tsx';
import { InsightFacts } from '../../features/account/insight-facts.tsx';
import { TransactionsTable } from '../../features/account/transactions-table.tsx';
import { ApiTokensCard } from '../../features/api-token/api-tokens-card.tsx';
import { GitTokensCard } from '../../features/repository/git-tokens-card.tsx';
import { SessionsSection } from '../../features/user/sessions-section.tsx';
import { useAuth } from '../../lib/session/auth-state.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { NOT_AVAILABLE } from '../../lib/text/formats.ts';
import { Avatar, displayName } from '../../features/user/avatar.tsx';

export function AccountPage() {
  usePageTitle('Account');
  const { currentUser } = useAuth();
  return (
    <div className="flex flex-col gap-5">
      <header className="flex items-center gap-4">
        {currentUser && <Avatar user={currentUser} className="size-14 text-xl" />}
        <div className="min-w-0">
          <h1 className="text-sm font-medium text-muted">Account</h1>
          {currentUser && <Identity user={currentUser} />}
        </div>
      </header>
      <ObjectPage rail={<SessionsSection />}>
        <BalanceCard title="Cycles">
          <InsightFacts />
        </BalanceCard>
      </ObjectPage>
      {/* Its seven columns need all of the width. */}
      <TransactionsTable />
      <GitTokensCard />
      <ApiTokensCard />
    </div>
  );
}

/** Who is signed in. */
function Identity({ user }: { user: User }) {
  return (
    <>
      <p className="text-xl font-semibold wrap-anywhere">{displayName(user)}</p>
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <span className="wrap-anywhere">{user.username ? `@${user.username}` : NOT_AVAILABLE}</span>
        {user.location && (
          <span className="flex items-center gap-1">
            <MapPin className="size-3.5 shrink-0" aria-hidden="true" />
            {user.location}
          </span>
        )}
      </p>
    </>
  );
}
