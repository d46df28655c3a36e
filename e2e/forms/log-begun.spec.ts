import { createDeploy } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

test("[DEPD-18] 'waiting for a worker' never stands above a log that runs, however late the state of the run comes", async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Fresh bread</h1>' });
  const id = await createDeploy(user, {
    name: 'Bakery',
    repo_name: 'bakery',
    deploy_type: 'STATIC_SITE',
    build_command: 'echo kneading; sleep 6',
  });
  // The polls are as late as can be: they go on saying what they have said first.
  await page.route(/\/api\/deploy\/[^/]+\/instances(?:\/[^/?]+)?(?:\?|$)/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replaceAll(
      '"status":"RUNNING"',
      '"status":"SCHEDULED","waiting":{"reason":"worker","ahead":0}',
    );
    await route.fulfill({ response: answer, body: text });
  });
  await page.addInitScript(() => {
    // Looks at every moment, however short.
    const seen: string[] = [];
    Object.assign(window, { seenTogether: seen });
    new MutationObserver(() => {
      const waits = document.body.innerText.includes('Waiting for a worker');
      const lines = document.querySelector('[role="log"]')?.textContent ?? '';
      if (waits && lines.includes('kneading')) seen.push(lines);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  await deploy.manualDeploy.click();
  await expect(deploy.log).toContainText('kneading');
  await expect(deploy.latest).toContainText('Deploying');
  // As it is now: later it would be gone with the run.
  expect(await page.getByText('Waiting for a worker').count()).toBe(0);
  await expect(deploy.latest).toContainText('is live for');
  expect(await page.evaluate(() => (window as unknown as { seenTogether: string[] }).seenTogether)).toEqual(
    [],
  );
});
