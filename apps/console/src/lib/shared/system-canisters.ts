/** Canisters of the system by their ids, which are the same on the Internet Computer and on the embedded network. */
const names: Readonly<Record<string, string>> = {
  'aaaaa-aa': 'Management canister',
  'ryjl3-tyaaa-aaaaa-aaaba-cai': 'ICP ledger',
  'rkp4c-7iaaa-aaaaa-aaaca-cai': 'Cycles minting canister',
  'um5iw-rqaaa-aaaaq-qaaba-cai': 'Cycles ledger',
  'rdmx6-jaaaa-aaaaa-aaadq-cai': 'Internet Identity',
  'a4gq6-oaaaa-aaaab-qaa4q-cai': 'Candid UI',
};

/** The network itself, as canisters call it. It has no code, and so no page. */
export const MANAGEMENT = 'aaaaa-aa';

/** What a canister of the system is called; undefined for every other. */
export function systemName(id: string): string | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined;
}

/** A sentence in which each canister of the system has its name behind its id. */
export function withSystemNames(text: string): string {
  return text.replace(/[\w-]+/g, (word) => {
    const name = systemName(word);
    return name === undefined ? word : `${word} (${name})`;
  });
}
