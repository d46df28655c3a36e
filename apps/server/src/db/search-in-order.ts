/** Rows that a search looks through in their order before it asks an index. */
export const HEAD_ROWS = 120;
/** With this number of hits in the head, the wanted ones are near: going on in order is quicker than collecting all hits. */
export const COMMON_HITS = 3;

/** Hits of one way of searching. */
export interface Hits<Row> {
  readonly rows: Row[];
  /** How many were found, those before and after `rows` included. */
  readonly found: number;
  /** Whether there may be more than were found. */
  readonly more: boolean;
}

/** The ways to search a long list, each for the same rows. */
export interface WaysToSearch<Row> {
  /**
   * The first `HEAD_ROWS` rows in the order asked for; where hits are rare among them it may ask the index in the same
   * statement, and then leaves nothing more to find.
   */
  readonly head: () => Promise<Hits<Row>>;
  /** Row by row in the order asked for, until there are enough hits: quick where hits are common. */
  readonly inOrder: () => Promise<Hits<Row>>;
  /** All hits by an index, then sorted: quick where hits are rare. */
  readonly byIndex: () => Promise<Hits<Row>>;
}

/**
 * Searches in the way that reads few rows, however many there are. The database would have to guess which one that is,
 * from statistics that know neither the owner nor the beginning of a list.
 * @param wanted hits up to the end of the page asked for
 */
export async function searchInOrder<Row>(ways: WaysToSearch<Row>, wanted: number): Promise<Hits<Row>> {
  const head = await ways.head();
  if (!head.more || head.found >= wanted) return head;
  return head.found >= COMMON_HITS ? ways.inOrder() : ways.byIndex();
}
