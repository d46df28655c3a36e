/** Fills the `{name}` marks of an address pattern of the configuration; values are encoded as path or query parts. */
export function fillPattern(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (mark, name: string) => {
    // A mark named like a property of every object, such as {constructor}, stands for no value.
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? mark : encodeURIComponent(value);
  });
}

/** The address with a query parameter `state` that carries a value as JSON. */
export function withState(address: string, state: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}state=${encodeURIComponent(JSON.stringify(state))}`;
}
