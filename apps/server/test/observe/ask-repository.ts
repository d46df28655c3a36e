/** What git asks first of a repository. @returns the status */
export async function askRepository(
  server: string,
  path: string,
  password?: string,
  service = 'git-upload-pack',
): Promise<number> {
  const headers =
    password === undefined
      ? undefined
      : { authorization: `Basic ${Buffer.from(`git:${password}`).toString('base64')}` };
  const answer = await fetch(`${server}/${path}/info/refs?service=${service}`, headers && { headers });
  await answer.text();
  return answer.status;
}
