/** Ways to the code of a deploy. Templates and pushes are those of the git host that ships with the product. */
const choiceTabs = ['template', 'repositories', 'url', 'push'] as const;
export type ChoiceTab = (typeof choiceTabs)[number];

export const choiceTabNames: Readonly<Record<ChoiceTab, string>> = {
  template: 'Template',
  repositories: 'My repositories',
  url: 'Git URL',
  push: 'Push',
};

/** The tabs that there are. */
export function offeredTabs({ embedded }: { readonly embedded: boolean }): readonly ChoiceTab[] {
  return embedded ? choiceTabs : ['repositories', 'url'];
}

/** The tab that an address names; undefined for one that there is not. */
export function namedTab(name: string | undefined, offered: readonly ChoiceTab[]): ChoiceTab | undefined {
  return offered.find((tab) => tab === name);
}

/** What is opened where the address names nothing: whoever has no repository yet begins with a template. */
export function firstTab(user: {
  readonly embedded: boolean;
  /** Undefined when they cannot be had. */
  readonly repositories: number | undefined;
}): ChoiceTab {
  return user.embedded && user.repositories === 0 ? 'template' : 'repositories';
}
