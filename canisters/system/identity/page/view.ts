import type { KnownAccount } from './known-accounts.ts';
import type { AskingSite } from './site.ts';

/** The element of index.html with this id; it is always there. */
function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${id}.`);
  return found;
}

const SECTIONS = ['waiting', 'alone', 'asked', 'done'] as const;
/** Clicks that were meant for what was here before this window came to the front do not count. */
const SETTLE_MS = 500;

export const elements = {
  choices: part('choices', HTMLFieldSetElement),
  nameForm: part('name-form', HTMLFormElement),
  name: part('name', HTMLInputElement),
  usePasskey: part('use-passkey', HTMLButtonElement),
  createPasskey: part('create-passkey', HTMLButtonElement),
  cancel: part('cancel', HTMLButtonElement),
} as const;

let isBusy = false;
let settled: ReturnType<typeof setTimeout> | undefined;

/** What can be clicked can be clicked a moment after the window has come to the front: a page above it could lure a click. */
function settle(): void {
  clearTimeout(settled);
  elements.choices.disabled = true;
  settled = setTimeout(() => {
    settled = undefined;
    elements.choices.disabled = isBusy;
  }, SETTLE_MS);
}

export function show(section: (typeof SECTIONS)[number]): void {
  for (const id of SECTIONS) part(id, HTMLElement).hidden = id !== section;
}

export function showAlone(): void {
  part('address', HTMLElement).textContent = `${location.origin}/authorize`;
  show('alone');
}

function showText(id: string, text: string | undefined): void {
  part(id, HTMLElement).textContent = text ?? '';
  for (const each of document.getElementsByClassName(id)) {
    if (each instanceof HTMLElement) each.hidden = text === undefined;
  }
}

export function showSite({ origin, request }: AskingSite): void {
  const { derivationOrigin, targets } = request;
  document.title = `Sign in to ${new URL(origin).host}`;
  part('site', HTMLElement).textContent = origin;
  showText('derivation', derivationOrigin === origin ? undefined : derivationOrigin);
  showText('targets', targets?.map((each) => each.toText()).join('\n'));
  showProblem(undefined);
  show('asked');
  window.addEventListener('focus', settle);
  settle();
}

/** Names are accounts where nobody but this computer reaches the network; where the name of this page says otherwise, it has none. */
export function offerNames(): void {
  elements.nameForm.hidden = !location.hostname.endsWith('.localhost');
}

/** Says what is being done, and lets nothing be clicked meanwhile; ends with `undefined`. */
export function showBusy(text: string | undefined): void {
  isBusy = text !== undefined;
  const line = part('busy', HTMLElement);
  line.textContent = text ?? '';
  line.hidden = !isBusy;
  elements.choices.disabled = isBusy || settled !== undefined;
}

export function showProblem(text: string | undefined): void {
  const line = part('problem', HTMLElement);
  line.textContent = text ?? '';
  line.hidden = text === undefined;
}

function span(className: string, text: string): HTMLSpanElement {
  const made = document.createElement('span');
  made.className = className;
  made.textContent = text;
  return made;
}

export function showAccounts(
  accounts: readonly KnownAccount[],
  choose: (account: KnownAccount) => void,
  forget: (account: KnownAccount) => void,
): void {
  part('known-part', HTMLElement).hidden = accounts.length === 0;
  part('known', HTMLElement).replaceChildren(
    ...accounts.map((account) => {
      const label = account.kind === 'name' ? account.name : account.label;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'account';
      button.title = label;
      button.append(
        span('initial', [...label][0]?.toUpperCase() ?? ''),
        span('label', label),
        span('kind', account.kind === 'name' ? 'Name' : 'Passkey'),
      );
      button.addEventListener('click', () => choose(account));
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.className = 'quiet forget';
      remove.textContent = '\u00d7';
      remove.title = 'Forget in this browser';
      remove.ariaLabel = `Forget ${label} in this browser`;
      remove.addEventListener('click', () => forget(account));
      const row = document.createElement('li');
      row.append(button, remove);
      return row;
    }),
  );
}
