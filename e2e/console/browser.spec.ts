import { expect, test } from '@playwright/test';

test('text is set in the fonts that come with the browser, whatever the machine has', async ({ page }) => {
  await page.setContent('<p style="font: 16px sans-serif">WWWW</p><p style="font: 16px monospace">iiii</p>');
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' });
  expect(nodeIds).toHaveLength(2);
  for (const nodeId of nodeIds) {
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts).toMatchObject([{ familyName: 'Open Sans', glyphCount: 4 }]);
  }
});
