import path from 'node:path';
import { expect } from '../support/product.ts';
import { type Newcomer, quoted } from './newcomer.ts';
import type { Clause, Mark, StepPart } from './steps.ts';

/** A build may take this long on a busy machine. */
const WAIT_MS = 150_000;
/** A run is under way this soon after the press that starts it, and one look at that takes no longer than the second. */
const DISABLED_MS = 15_000;
const SOON_MS = 1_000;

type Follow = (newcomer: Newcomer, ...texts: string[]) => Promise<unknown>;

/** A mark by its place in the pattern; `shown` and `typed` must be marked as such. */
const SHOWN = '#(\\d+)';
const TYPED = '`(\\d+)';

async function see(newcomer: Newcomer, text: string, timeout?: number): Promise<void> {
  const found = newcomer.page
    .getByText(new RegExp(quoted(text)))
    .filter({ visible: true })
    .first();
  await expect(found, `you see '${text}'`).toBeVisible({ timeout });
  newcomer.seen = found;
}

/** Everything a step of the guide can say. */
const sentences: readonly (readonly [pattern: string, follow: Follow])[] = [
  [
    `press ${SHOWN} in the sidebar`,
    async (newcomer, name) =>
      (await newcomer.control(name ?? '', newcomer.page.getByTestId('sidebar'))).click(),
  ],
  [`press the row ${SHOWN}`, (newcomer, text) => newcomer.page.getByRole('row', { name: text }).click()],
  [
    `press ${SHOWN} of ${SHOWN}(?: again)?`,
    async (newcomer, name, of) => (await newcomer.control(name ?? '', newcomer.part(of ?? ''))).click(),
  ],
  [
    `press ${SHOWN} beside ${SHOWN}`,
    async (newcomer, name, text) => (await newcomer.control(name ?? '', newcomer.entry(text ?? ''))).click(),
  ],
  [`press (?:the link )?${SHOWN}`, async (newcomer, name) => (await newcomer.control(name ?? '')).click()],
  [
    'press the address of the site',
    (newcomer) =>
      newcomer.page
        .getByRole('link', { name: /\.localhost:\d+/ })
        .first()
        .click(),
  ],
  [
    `open the run ${SHOWN}`,
    (newcomer, text) =>
      newcomer
        .entry(text ?? '')
        .getByRole('button')
        .first()
        .click(),
  ],
  [
    `wait until ${SHOWN} can be pressed again`,
    async (newcomer, name) => {
      // A dialog that closes may still lie over the page, and is then looked at in its place.
      await expect(async () =>
        expect(await newcomer.control(name ?? '')).toBeDisabled({ timeout: SOON_MS }),
      ).toPass({ timeout: DISABLED_MS });
      const control = await newcomer.control(name ?? '');
      await expect(control).toBeEnabled({ timeout: WAIT_MS });
    },
  ],
  [
    `type ${TYPED} into ${SHOWN}`,
    async (newcomer, text, label) => (await newcomer.field(label ?? '')).fill(text ?? ''),
  ],
  [
    `type ${TYPED} into ${SHOWN} of ${SHOWN}`,
    (newcomer, text, label, of) =>
      newcomer
        .part(of ?? '')
        .getByLabel(new RegExp(`^${label} `))
        .fill(text ?? ''),
  ],
  [
    `the reply of ${SHOWN} is ${TYPED}`,
    (newcomer, of, reply) =>
      expect(newcomer.part(of ?? '').getByRole('status')).toContainText(
        new RegExp(`(?<![\\w.])${quoted(reply ?? '')}(?![\\w])`),
      ),
  ],
  [
    `choose the file ${TYPED} for ${SHOWN}`,
    async (newcomer, file, label) =>
      (await newcomer.field(label ?? '')).setInputFiles(path.join(newcomer.folder, file ?? '')),
  ],
  [
    `choose ${SHOWN} for ${SHOWN}`,
    async (newcomer, option, label) => {
      await (await newcomer.field(label ?? '')).fill(option ?? '');
      await newcomer.page.getByRole('option', { name: option }).click();
    },
  ],
  ['run `(\\d+) in the folder of the project', (newcomer, command) => newcomer.product.start(command ?? '')],
  ['stop cannery(?: with ctrl\\+c)?', (newcomer) => newcomer.product.stop()],
  [`start cannery(?: again)? with ${TYPED}`, (newcomer, command) => newcomer.product.start(command ?? '')],
  [
    `wait until it prints ${TYPED}`,
    ({ product }, line) => expect.poll(() => product.output(), { timeout: product.readyMs }).toContain(line),
  ],
  [`open ${TYPED}(?: in a browser)?`, (newcomer, address) => newcomer.page.goto(address ?? '')],
  [
    'when git asks, the username is `(\\d+) and the password is the token',
    (newcomer, name) => newcomer.answerGit(name ?? ''),
  ],
  [`put the token into ${TYPED}`, (newcomer, variable) => newcomer.keepSecret(variable ?? '')],
  // The commands are below it.
  ['run this in a terminal', () => Promise.resolve()],
  ['run this in the folder of the project', async (newcomer) => newcomer.goToProject()],
  ['a new tab opens', (newcomer) => newcomer.newTab()],
  ['close the tab', (newcomer) => newcomer.closeTab()],
];

const patterns = sentences.map(([pattern, follow]) => ({ pattern: new RegExp(`^${pattern}$`, 'i'), follow }));

/** 'You see' with any number of marks. */
const SEEN = /^(?:beside #\d+ )?(wait until )?you see ((?:[#`]\d+(?:,? and |, )?)+)$/i;
const IN_NEW_TAB = /^in the new tab,? /i;
const REMARK_AFTER = /,? (?:the balance of your account)$/;

/** The words with the kind of each mark in them: `#` for bold, `` ` `` for code. */
function kinds({ words, marks }: Clause): string {
  return words.replaceAll(/#(\d+)/g, (found, index) =>
    marks[Number(index)]?.kind === 'typed' ? found.replace('#', '`') : found,
  );
}

/** @throws Error when the sentence is none that a reader of the guide could carry out. */
async function followClause(newcomer: Newcomer, clause: Clause): Promise<void> {
  let words = kinds(clause).replace(REMARK_AFTER, '');
  const textOf = (index: string): string => newcomer.own((clause.marks[Number(index)] as Mark).text);
  if (IN_NEW_TAB.test(words)) {
    await newcomer.newTab();
    words = words.replace(IN_NEW_TAB, '');
  }
  const seen = SEEN.exec(words);
  if (seen) {
    for (const [, index = ''] of (seen[2] ?? '').matchAll(/[#`](\d+)/g)) {
      await see(newcomer, textOf(index), seen[1] === undefined ? undefined : WAIT_MS);
    }
    return;
  }
  for (const { pattern, follow } of patterns) {
    const match = pattern.exec(words);
    if (!match) continue;
    newcomer.seen = undefined;
    await follow(newcomer, ...match.slice(1).map(textOf));
    return;
  }
  throw new Error(`Nobody can follow '${words}'.`);
}

/** Does what a part of a step says. */
export async function followStep(newcomer: Newcomer, part: StepPart): Promise<void> {
  if ('picture' in part) return newcomer.look(part.picture);
  if ('commands' in part) return newcomer.run(part.commands);
  for (const clause of part.clauses) await followClause(newcomer, clause);
}

/** The step in words, for the report of a test. */
export function stepName(part: StepPart): string {
  if ('picture' in part) return part.picture;
  if ('commands' in part) return part.commands.split('\n')[0] ?? '';
  return part.clauses
    .map(({ words, marks }) => words.replaceAll(/#(\d+)/g, (_, index) => marks[Number(index)]?.text ?? ''))
    .join(', ');
}
