import type { LogRecord } from '../../state/canister-log.ts';
import type { IcMethods } from '../generated/ic-interface.ts';
import { canisterOf, managementMethod } from '../method/method.ts';

/** Whether the record is in the range the caller asked for; ranges include their start and exclude their end. */
function matches([filter]: IcMethods['fetch_canister_logs']['arg']['filter'], record: LogRecord): boolean {
  if (!filter) return true;
  if ('by_idx' in filter) return record.index >= filter.by_idx.start && record.index < filter.by_idx.end;
  const { start, end } = filter.by_timestamp_nanos;
  return record.timestampNanos >= start && record.timestampNanos < end;
}

export const fetchCanisterLogs = managementMethod({
  name: 'fetch_canister_logs',
  callers: { kind: 'viewers', visibility: (canister) => canister.record.settings.logVisibility },
  query: 'only',
  target: (arg) => arg.canister_id,
  read: (env, arg) => ({
    canister_log_records: canisterOf(env, arg.canister_id)
      .log.records.filter((record) => matches(arg.filter, record))
      .map(({ index, timestampNanos, content }) => ({
        idx: index,
        timestamp_nanos: timestampNanos,
        content,
      })),
  }),
});
