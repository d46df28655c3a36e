/**
 * Puts a text in the clipboard. The one way of the console to copy.
 * @returns whether the browser has taken it: none does on a page without TLS, and some ask the user, who may refuse
 */
export async function copyText(text: string): Promise<boolean> {
  // Absent where the page does not come from a trustworthy address, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}
