/** The lines of a dump, whichever store it is of. */
export type Dump = Iterable<string> | AsyncIterable<string> | Promise<AsyncIterable<string>>

/** All lines of a dump, sorted, since each store has an order of its own. */
export const dumpedLines = async (dump: Dump): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const line of await dump) lines.push(line)
  return lines.sort()
}
