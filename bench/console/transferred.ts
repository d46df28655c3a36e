import { createApi, signIn, startProduct } from '@cannery/dev-env';
import { firstLoads, worldOfFirstLoads } from '../../e2e/support/first-loads.ts';
import { told, transferredBy } from '../../e2e/support/transferred.ts';
import { type Section, spreadOf } from '../figures.ts';
import { onCore, SERVER_CORE, useAllCores } from '../pinned.ts';
import { launchBrowser, openWindow } from './browser.ts';

const LOADS = 3;

/** What travels until a page stands in a browser that was never there: scripts, styles, fonts, answers and their heads. */
export const transferred: Section = {
  title: 'Transferred',
  async run(report) {
    useAllCores();
    await using started = new AsyncDisposableStack();
    const product = await startProduct({ command: (program, args) => onCore(SERVER_CORE, program, args) });
    started.defer(() => product.dispose());
    const browser = await launchBrowser();
    started.defer(() => browser.close());
    const token = await signIn(product.url, 'bench');
    const world = await worldOfFirstLoads(createApi(product.url, token));
    for (const { name, mostBytes, addressOf, shown } of firstLoads) {
      const loads = [];
      for (let load = 0; load < LOADS; load += 1) {
        await using context = await openWindow(browser, name === '/login' ? undefined : token);
        const page = await context.newPage();
        loads.push(await transferredBy(page, product.url + addressOf(world)));
        await page.getByText(shown).filter({ visible: true }).first().waitFor();
      }
      report({
        what: `transferred by the first load of ${name}`,
        unit: 'kB',
        spread: spreadOf(loads.map(({ bytes }) => bytes / 1000)),
        goal: { atMost: mostBytes / 1000 },
        note: told(loads[0] ?? { bytes: 0, each: [] }).split('\n')[0],
      });
    }
  },
};
