import type { z } from 'zod';
import type { Tx } from '../../db/tx.ts';

/** A key the server made for itself: read, or made and kept on first use. Several processes get the same one. */
export async function keyOnce<T extends z.ZodType>(
  tx: Tx,
  name: string,
  schema: T,
  make: () => Promise<z.output<T>>,
): Promise<z.output<T>> {
  const read = () => tx.selectFrom('server_keys').select('value').where('name', '=', name).executeTakeFirst();
  const known = await read();
  if (known !== undefined) return schema.parse(known.value);
  await tx
    .insertInto('server_keys')
    .values({ name, value: JSON.stringify(await make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return schema.parse((await read())?.value);
}
