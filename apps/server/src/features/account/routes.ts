import { accountEndpoints, firstStepEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { type Route, route } from '../../http/route.ts';
import { dismissFirstSteps, readFirstSteps } from './first-steps.ts';
import { listTransactions, readInsights } from './store.ts';

export function accountRoutes(ctx: AppContext): Route[] {
  return [
    route(firstStepEndpoints.read, ({ user }) => readFirstSteps(ctx.db, user.id)),
    route(firstStepEndpoints.dismiss, ({ user }) => dismissFirstSteps(ctx.db, user.id)),
    route(accountEndpoints.insights, async ({ user }) => {
      const { available, canisters } = await readInsights(ctx.db, user.id);
      return {
        balance: Number(available),
        balance_exact: available.toString(),
        total_canisters: canisters,
        canisters,
      };
    }),
    route(accountEndpoints.transactions, async ({ user }) => {
      const rows = await listTransactions(ctx.db, user.id);
      return rows.map((row) => ({
        id: row.id,
        transaction_name: row.transaction_name,
        transaction_type: row.transaction_type,
        amount: Number(row.amount),
        balance_before: Number(row.balance_before),
        balance_after: Number(row.balance_after),
        transaction_meta: row.transaction_meta,
        created_at: row.created_at.toISOString(),
      }));
    }),
  ];
}
