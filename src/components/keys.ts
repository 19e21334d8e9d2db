/**
 * Items with a React key each. Names that come from upstream may be repeated, and two children with one key are drawn
 * wrongly at the next change; so a name that was met before gets its number behind it. What keeps its name keeps its key when rows move.
 */
export function keyed<T>(
  items: readonly T[],
  name: (item: T) => string
): Array<readonly [string, T]> {
  const met = new Map<string, number>();
  return items.map(item => {
    const called = name(item);
    const before = met.get(called) ?? 0;
    met.set(called, before + 1);
    return [`${before} ${called}`, item] as const;
  });
}

/** The same for what is its own name. */
export function keyedNames(
  names: readonly string[]
): Array<readonly [string, string]> {
  return keyed(names, name => name);
}
