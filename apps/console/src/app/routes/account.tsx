import { Card } from '../../components/ui/card.tsx';
import { BalanceCard } from '../../features/account/balance-card.tsx';
import { InsightFacts } from '../../features/account/insight-facts.tsx';
import { TransactionsTable } from '../../features/account/transactions-table.tsx';
import { ApiTokensCard } from '../../features/api-token/api-tokens-card.tsx';
import { GitTokensCard } from '../../features/repository/git-tokens-card.tsx';
import { SessionsCard } from '../../features/user/sessions-card.tsx';
import { UserCard } from '../../features/user/user-card.tsx';
import { useAuth } from '../../lib/session/auth-state.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

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
