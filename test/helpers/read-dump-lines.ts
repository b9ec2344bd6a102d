/** The lines of a dump of any store. */
export type Dump = Iterable<string> | AsyncIterable<string> | Promise<AsyncIterable<string>>

/** Reads all lines of a dump and sorts them, because their order differs between stores. */
export const readDumpLines = async (dump: Dump): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const line of await dump) lines.push(line)
  return lines.sort()
}
