/** A method of an echo: how it is exported, and its name. */
export type EchoMethod = readonly ['query' | 'update', string];

function unsigned(number: number): number[] {
  const bytes: number[] = [];
  let left = number;
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>>= 7;
  } while (left > 0);
  return bytes;
}

const text = (word: string): number[] => {
  const bytes = [...Buffer.from(word)];
  return [...unsigned(bytes.length), ...bytes];
};
const section = (id: number, body: readonly number[]): Buffer =>
  Buffer.from([id, ...unsigned(body.length), ...body]);
const imported = (name: string, type: number): number[] => [...text('ic0'), ...text(name), 0, type];

/** A module whose methods answer with the bytes of their arguments, and which publishes the given interface. */
export function echoModule(methods: readonly EchoMethod[], did: string): Buffer {
  const types = [4, 0x60, 0, 1, 0x7f, 0x60, 3, 0x7f, 0x7f, 0x7f, 0, 0x60, 2, 0x7f, 0x7f, 0, 0x60, 0, 0];
  const imports = [
    4,
    ...imported('msg_arg_data_size', 0),
    ...imported('msg_arg_data_copy', 1),
    ...imported('msg_reply_data_append', 2),
    ...imported('msg_reply', 3),
  ];
  const echo = [0, 0x41, 0, 0x41, 0, 0x10, 0, 0x10, 1, 0x41, 0, 0x10, 0, 0x10, 2, 0x10, 3, 0x0b];
  const exports = methods.flatMap(([kind, name]) => [...text(`canister_${kind} ${name}`), 0, 4]);
  return Buffer.concat([
    Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    section(1, types),
    section(2, imports),
    section(3, [1, 3]),
    section(5, [1, 0, 64]),
    section(7, [...unsigned(methods.length), ...exports]),
    section(10, [1, ...unsigned(echo.length), ...echo]),
    custom('icp:public candid:service', Buffer.from(did)),
  ]);
}

/** In one piece: a spread of a megabyte would be too many arguments. */
function custom(name: string, bytes: Buffer): Buffer {
  const head = Buffer.from(text(name));
  return Buffer.concat([Buffer.from([0, ...unsigned(head.length + bytes.length)]), head, bytes]);
}
