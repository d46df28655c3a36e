// The sign-in page of the provider that ships with the product: offers the accounts that this browser has signed in with. The names are in
// local storage of this origin, which, unlike a cookie, no other port of this host and no deployed site reads or writes. They open nothing
// that the page does not open by typing them.
(() => {
  const KEY = 'sign-in-accounts';
  /** So many are offered; a new one takes the place of that which was used longest ago. */
  const MOST = 5;
  /** As the page allows a name. */
  const LONGEST = 80;

  const read = () => {
    try {
      const names = JSON.parse(localStorage.getItem(KEY) ?? '[]');
      if (!Array.isArray(names)) return [];
      return names
        .filter((name) => typeof name === 'string' && name !== '' && [...name].length <= LONGEST)
        .slice(0, MOST);
    } catch {
      return [];
    }
  };
  const keep = (names) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(names.slice(0, MOST)));
    } catch {
      // Storage may be forbidden: then no account is offered the next time.
    }
  };
  // Every spelling of case is the same account.
  const same = (a, b) => a.toLowerCase() === b.toLowerCase();
  const without = (names, name) => names.filter((other) => !same(other, name));
  const remember = (typed) => {
    const name = typed.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
    if (name !== '') keep([name, ...without(read(), name)]);
  };

  const form = document.querySelector('form');
  const input = document.querySelector('input[name="login"]');
  if (form === null || input === null) return;
  // A name that the page has refused is no account.
  if (input.getAttribute('aria-invalid') === 'true') keep(without(read(), input.value));

  form.addEventListener('submit', ({ submitter }) => {
    if (submitter?.hasAttribute('formaction') !== true) remember(input.value);
  });

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className !== '') made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const row = (name, onForget) => {
    const account = element('button', 'account');
    account.name = 'login';
    account.value = name;
    account.title = name;
    const initial = element('span', 'initial', [...name][0]);
    initial.setAttribute('aria-hidden', 'true');
    account.append(initial, element('span', 'name', name));
    const forget = element('button', 'forget', '\u00d7');
    forget.type = 'button';
    forget.setAttribute('aria-label', `Forget ${name}`);
    forget.title = 'Forget this account on this computer';
    forget.addEventListener('click', onForget);
    const item = element('li', '');
    item.append(account, forget);
    return item;
  };

  const names = read();
  if (names.length === 0) return;
  const known = element('form', 'known');
  known.method = 'post';
  known.action = form.action;
  known.addEventListener('submit', ({ submitter }) => remember(submitter?.value ?? ''));
  const heading = element('h2', '', 'Continue as');
  heading.id = 'accounts';
  const list = element('ul', '');
  list.setAttribute('aria-labelledby', 'accounts');
  const other = element('h2', '', 'Use another account');
  for (const name of names) {
    const item = row(name, () => {
      keep(without(read(), name));
      const next = item.nextElementSibling ?? item.previousElementSibling;
      item.remove();
      if (next !== null) return next.querySelector('button').focus();
      known.remove();
      other.remove();
      input.focus();
    });
    list.append(item);
  }
  known.append(heading, list);
  form.before(known);
  form.prepend(other);
  if (input.value === '') {
    input.removeAttribute('autofocus');
    list.querySelector('button').focus();
  }
})();
