/** How often a dapp was installed, for people; undefined where that is not known. */
export function installsText(installs: number | null): string | undefined {
  if (installs === null) return undefined;
  if (installs === 0) return 'Not installed yet';
  return installs === 1 ? '1 install' : `${installs} installs`;
}
