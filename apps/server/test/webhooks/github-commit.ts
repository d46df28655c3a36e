/** The newest commit of a push, as GitHub tells of it. */
export function commitOfEvent(message: string): Record<string, unknown> {
  const id = 'ab'.repeat(20);
  const person = { name: 'Octo', email: 'octo@example.org', username: 'octo' };
  const changed = { added: [], removed: [], modified: ['index.html'] };
  const at = { timestamp: new Date().toISOString(), url: `https://github.com/octo/site/commit/${id}` };
  return { id, tree_id: id, distinct: true, message, author: person, committer: person, ...at, ...changed };
}
