import { createDeploy, runDeploy } from '../support/deploys.ts';
import { hostileLines, hostileProgram } from '../support/hostile-lines.ts';
import { BuildLog } from '../pages/build-log.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';
import { watchForHarm, watchPage } from '../support/watch-page.ts';

const bakery = { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;

/** The lines that are laid out, by place, with what is in them; three marks stand before one that is more than text. */
function linesOnShow(view: HTMLElement | SVGElement): [number, string][] {
  // oxlint-disable-next-line no-control-regex -- none of these may be in what is shown
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
  return [...view.querySelectorAll<HTMLElement>('[data-index]')].map((line) => {
    const strange = [...line.querySelectorAll('*')].some(
      ({ localName, attributes }) =>
        !['div', 'span', 'a', 'mark'].includes(localName) ||
        [...attributes].some(
          ({ name, value }) =>
            name.startsWith('on') || (name === 'href' && !value.startsWith('/ics/deploy/')),
        ),
    );
    const text = line.textContent;
    return [
      Number(line.dataset['index']),
      strange || control.test(text) ? `!!! ${text.slice(0, 100)}` : text,
    ];
  });
}

test('[DEPD-09] [R11] hostile lines of a build are text, and nothing else', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  expect(hostileLines.length).toBeGreaterThanOrEqual(60);
  await pushFiles(
    product,
    user,
    'bakery',
    { 'print.mjs': hostileProgram, 'public/index.html': '' },
    '<img src=x onerror=pwned(1)> \u202eloaf',
  );
  const build_command = 'node print.mjs; sleep 4';
  const id = await createDeploy(user, { ...bakery, build_command, publish_directory: 'public' });

  const problems = await watchPage(page);
  const reached = await watchForHarm(page);

  // While it is written, by the stream, and when it is over, all of it.
  const run = await user.api.call<{ id: string }>('POST', `/deploy/${id}/trigger`);
  const address = `${product.url}/ics/deploy/${id}/runs/${run.id}`;
  await page.goto(address);
  const log = new BuildLog(page);
  await expect(log.view).toContainText('the end of it', { timeout: 60_000 });
  await expect(new DeployPage(page).latest).toContainText('Bakery is live for', { timeout: 60_000 });
  await expect(new DeployPage(page).latest).toContainText('<img src=x onerror=pwned(1)> loaf');
  await page.goto(`${address}#L1"><img src=x onerror=pwned(1)>`);
  await page.reload();
  await expect(log.view).toContainText('The site is live: http', { timeout: 60_000 });

  // Each line is laid out and looked at: it holds text in elements of ours, and no address but that of the line.
  await log.view.evaluate((view) => view.scrollTo({ top: 0 }));
  const shown = new Map<number, string>();
  do {
    for (const [number, text] of await log.view.evaluate(linesOnShow)) shown.set(number, text);
    await log.view.evaluate((view) => view.scrollBy({ top: 200 }));
    await page.waitForTimeout(20);
  } while ((await log.toBottom()) > 1);
  for (const [number, text] of await log.view.evaluate(linesOnShow)) shown.set(number, text);
  const texts = [...shown].toSorted(([a], [b]) => a - b).map(([, text]) => text);
  expect([...shown.keys()].toSorted((a, b) => a - b)).toEqual(texts.map((_, place) => place));
  expect(texts.length).toBeGreaterThan(hostileLines.length + 5);
  expect(texts.filter((text) => text.startsWith('!!!'))).toEqual([]);
  for (const text of ['<script>pwned(1)</script>', 'event: end', 'click here']) expect(texts).toContain(text);
  expect(texts.filter((text) => text.length > 9_000)).toEqual([]);

  for (const search of ['<script>', 'onerror=', '</span>', '\u202e', '(a+)+$', '\\']) {
    await log.search.fill(search);
    await expect(log.found).not.toHaveText('');
    await page.keyboard.press('Enter');
  }
  await log.tool('Show times').click();
  await log.tool('Wrap long lines').click();
  await log.download();
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  expect(reached).toEqual([]);
  expect(problems()).toEqual([]);
  await expect(page).toHaveTitle(/Bakery/);
});
