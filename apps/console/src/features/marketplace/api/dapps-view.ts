import {
  type Dapp,
  type DappKind,
  dappKinds,
  type DappSort,
  dappSorts,
  searchWords,
} from '@cannery/contract';
import type { AddressFields } from '../../../lib/table/address-fields.ts';
import { dappName } from './dapp-state.ts';

/** Cards on a page; fills rows of two and three. */
export const CARDS = 24;

/** Which dapps the marketplace shows. */
export interface DappsView {
  readonly search: string;
  readonly sort: DappSort;
  readonly kind: DappKind | undefined;
  /** Username of the uploader. */
  readonly by: string | undefined;
  /** From 0. */
  readonly page: number;
}

export const viewFields = ['search', 'sort', 'kind', 'by', 'page'] as const;

/** Everything, newest first. */
export const firstView: DappsView = { search: '', sort: 'newest', kind: undefined, by: undefined, page: 0 };

/** Reads a view from the fields of an address; what makes no sense is left out. */
export function readView({ search, sort, kind, by, page }: AddressFields): DappsView {
  return {
    search: (search ?? '').slice(0, 200),
    sort: dappSorts.find((one) => one === sort) ?? 'newest',
    kind: dappKinds.find((one) => one === kind),
    by,
    page: page !== undefined && /^[1-9]\d{0,4}$/.test(page) ? Number(page) - 1 : 0,
  };
}

/** The fields of a view; what is shown at first is left out. */
export function fieldsOf({ search, sort, kind, by, page }: DappsView): AddressFields {
  return {
    search: search === '' ? undefined : search,
    sort: sort === 'newest' ? undefined : sort,
    kind,
    by,
    page: page === 0 ? undefined : String(page + 1),
  };
}

/** Whether a view leaves dapps out. */
export function isNarrowed({ search, kind, by }: DappsView): boolean {
  return searchWords(search).length > 0 || kind !== undefined || by !== undefined;
}

/** The query of the call for a view: one dapp more than it shows, which tells whether there is a next page. */
export function queryOf({ search, sort, kind, by, page }: DappsView) {
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(sort !== 'newest' && { sort }),
    ...(kind !== undefined && { kind }),
    ...(by !== undefined && { uploader: by }),
    ...(page > 0 && { offset: page * CARDS }),
    limit: CARDS + 1,
  };
}

/** One page of dapps. */
export interface DappsPage {
  readonly dapps: readonly Dapp[];
  readonly hasNext: boolean;
}

/** 0 for what nobody has rated, which is less than any rating. */
const averageOf = ({ rating, ratings }: Dapp): number =>
  ratings === null || ratings === 0 ? 0 : (rating ?? 0);

const orders: Readonly<Record<DappSort, (left: Dapp, right: Dapp) => number>> = {
  newest: () => 0,
  installs: (left, right) => (right.installs ?? 0) - (left.installs ?? 0),
  rating: (left, right) => averageOf(right) - averageOf(left) || (right.ratings ?? 0) - (left.ratings ?? 0),
  name: (left, right) => dappName(left).localeCompare(dappName(right)),
};

/**
 * The page that a view shows of what was answered. A service that does not know the query answers all its dapps in its own
 * order: then they are searched, sorted and cut here.
 */
export function pageOfAnswer(answer: readonly Dapp[], view: DappsView): DappsPage {
  const obeys = answer.length <= CARDS + 1 && answer.some(({ installs }) => installs !== null);
  const from = obeys ? 0 : view.page * CARDS;
  const all = obeys ? answer : answer.filter((dapp) => fits(dapp, view)).toSorted(orders[view.sort]);
  return { dapps: all.slice(from, from + CARDS), hasNext: all.length > from + CARDS };
}

function fits(dapp: Dapp, { search, kind, by }: DappsView): boolean {
  const wanted = searchWords(search);
  const has = searchWords(`${dappName(dapp)} ${dapp.user?.username ?? ''} ${dapp.description ?? ''}`);
  return (
    wanted.every((word) => has.some((one) => one.startsWith(word))) &&
    (kind === undefined || dapp.kind === kind) &&
    (by === undefined || dapp.user?.username === by)
  );
}
