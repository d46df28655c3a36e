/**
 * The script of the dashboard. It asks every two seconds while somebody looks, and writes what it gets as text: names of methods are
 * those of strangers.
 */
export const DASHBOARD_SCRIPT = `
'use strict';
const EVERY_MILLIS = 2000;
const byId = (id) => document.getElementById(id);
const plain = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const two = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const bytes = (count) => {
  const unit = Math.min(UNITS.length - 1, count > 0 ? Math.floor(Math.log2(count) / 10) : 0);
  return (count / 1024 ** unit).toFixed(unit === 0 ? 0 : 1) + ' ' + UNITS[unit];
};
/** Cycles: the largest unit of 10^12, 10^9 or 10^6 that gives one or more. */
const cycles = (text) => {
  const value = Number(text);
  for (const [unit, size] of [['T', 1e12], ['B', 1e9], ['M', 1e6]])
    if (value >= size) return two.format(value / size) + ' ' + unit;
  return plain.format(value);
};

let from = 0;
let wanted;
let before;
let timer;
let asked = 0;

const TILES = [
  ['Canisters', (now) => plain.format(now.canisters), (now) => bytes(now.stateBytes) + ' of memory'],
  ['Messages', (now, rate) => perSecond(rate('messages')), (now) => plain.format(now.messages) + ' in all'],
  ['Instructions', (now, rate) => perSecond(rate('instructions')), (now) => short.format(now.instructions) + ' since the start'],
  ['Rounds', (now, rate) => perSecond(rate('rounds')), (now) => plain.format(now.rounds) + ' since the start'],
  ['Cycles used', (now, rate) => (rate('consumedCycles') === undefined ? '–' : cycles(rate('consumedCycles')) + ' /s'),
    (now) => cycles(now.consumedCycles) + ' in all'],
  ['Waiting', (now) => plain.format(now.waitingMessages), (now) => 'in ' + plain.format(now.waitingQueues) + ' queues, ' +
    plain.format(now.heavy) + ' long ones under way'],
  ['Process', (now) => bytes(now.residentBytes), () => 'resident memory'],
];
const perSecond = (rate) => (rate === undefined ? '–' : short.format(rate) + ' /s');

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function drawTiles(view, at) {
  const rate = (name) => {
    if (!before) return undefined;
    const seconds = (at - before.at) / 1000;
    // A network that was started again counts from the beginning.
    return seconds > 0 ? Math.max(0, (view.figures[name] - before.figures[name]) / seconds) : undefined;
  };
  byId('tiles').replaceChildren(...TILES.map(([name, value, more]) => {
    const tile = element('div');
    const shown = element('dd', value(view.figures, rate));
    shown.append(element('small', more(view.figures)));
    tile.append(element('dt', name), shown);
    return tile;
  }));
}

function drawRows(body, head, rows) {
  const labels = [...head.querySelectorAll('th')].map((each) => each.textContent);
  body.replaceChildren(...rows.map((cells) => {
    const row = element('tr');
    row.append(...cells.map(([text, className, title], place) => {
      const cell = element('td');
      cell.dataset.label = labels[place];
      if (labels.length > 0 && head.querySelectorAll('th')[place].className) cell.className = 'number';
      const shown = element('span', text, className);
      if (title !== undefined) shown.title = title;
      cell.append(shown);
      return cell;
    }));
    return row;
  }));
}

const methodRow = ({ canister, name, kind, calls, instructions, cycles: paid }) => [
  [canister, 'mono'], [name === '' ? '–' : name, 'mono'], [kind], [plain.format(calls)],
  [short.format(instructions), '', plain.format(instructions)], [kind === 'query' ? '–' : cycles(paid), '', paid],
];
const canisterRow = ({ id, status, module, memoryBytes, cycles: has, consumed, waiting, queries }) => [
  [id, 'mono'], [status, 'status ' + status], [module === null ? 'none' : module, 'mono'], [bytes(memoryBytes)],
  [cycles(has), '', has], [cycles(consumed), '', consumed], [plain.format(waiting)], [plain.format(queries)],
];

function draw(view, at) {
  const { canisters, figures, others, methods } = view;
  byId('subnet').textContent = view.subnet;
  byId('time').textContent = new Date(view.nowMillis).toISOString().replace('T', ' ').slice(0, 19) + ' UTC';
  byId('notice').textContent = figures.isDiskLow
    ? 'The disk is nearly full: no calls are accepted.'
    : figures.aheadSeconds > 1
      ? 'The time of the network is ' + plain.format(Math.round(figures.aheadSeconds)) +
        ' s ahead of the clock of this machine, which was set back.'
      : '';
  drawTiles(view, at);
  const rows = methods.map(methodRow);
  if (others.methods > 0) rows.push(methodRow({ ...others, canister: plain.format(others.methods) + ' others', name: '', kind: 'all' }));
  if (rows.length === 0) rows.push([['Nothing was executed yet.'], [''], [''], [''], [''], ['']]);
  drawRows(byId('methods'), byId('methods').parentElement.tHead, rows);
  drawRows(byId('canisters'), byId('canisters').parentElement.tHead, canisters.rows.map(canisterRow));
  const last = canisters.from + canisters.rows.length;
  byId('place').textContent = wanted !== undefined
    ? (canisters.rows.length > 0 ? 'One of ' + plain.format(canisters.total) : 'There is no such canister.')
    : canisters.total === 0 ? 'There are no canisters yet.'
    : plain.format(canisters.from + 1) + '–' + plain.format(last) + ' of ' + plain.format(canisters.total);
  from = canisters.from;
  byId('before').disabled = wanted !== undefined || from === 0;
  byId('after').disabled = wanted !== undefined || last >= canisters.total;
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const mine = ++asked;
  const query = wanted === undefined ? 'from=' + from : 'canister=' + encodeURIComponent(wanted);
  try {
    const answer = await fetch('/_/dashboard/data?' + query, { cache: 'no-store' });
    if (mine !== asked) return;
    if (!answer.ok) byId('notice').textContent = (await answer.text()).slice(0, 200);
    else {
      const view = await answer.json();
      if (mine !== asked) return;
      const at = performance.now();
      draw(view, at);
      before = { figures: view.figures, at };
    }
  } catch {
    if (mine === asked) byId('notice').textContent = 'The network does not answer; what is shown is of before.';
  }
  if (mine === asked) timer = setTimeout(look, EVERY_MILLIS);
}

byId('before').addEventListener('click', () => { from = Math.max(0, from - 50); look(); });
byId('after').addEventListener('click', () => { from += 50; look(); });
byId('all').addEventListener('click', () => { wanted = undefined; from = 0; byId('wanted').value = ''; look(); });
byId('find').addEventListener('submit', (event) => {
  event.preventDefault();
  wanted = byId('wanted').value.trim() || undefined;
  look();
});
document.addEventListener('visibilitychange', look);
look();
`;
