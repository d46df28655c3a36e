/** Room of a user's quotas that is kept for what is being written. */
interface ReservationsTable {
  id: string;
  user_id: string;
  /** Name of the quota. */
  quota: string;
  /** In what the quota counts. */
  amount: number;
  /** Then it is over whatever has become of the process that made it. */
  expires_at: Date;
}

export interface QuotaTables {
  reservations: ReservationsTable;
}
