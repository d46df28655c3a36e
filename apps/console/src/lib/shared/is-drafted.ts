/** Whether a navigation state names the repository of a deploy that is to be created. A file by itself, since the first load of each page has it. */
export function isDrafted<State extends { readonly repo_name?: string; readonly owner?: string }>(
  state: State,
): state is State & { readonly repo_name: string; readonly owner: string } {
  return Boolean(state.repo_name && state.owner);
}
