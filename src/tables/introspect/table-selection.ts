/** The tables that a description contains. */
export type TableSelection = {
  /** The Postgres schemas. Default: those of the search path of the connection. */
  readonly schemas?: readonly string[] | undefined
  /** The names of tables, in which `*` matches any text. Default: all tables. */
  readonly patterns?: readonly string[] | undefined
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.+?()[\]{}|/]/g, '\\$&')

/** Returns a function that returns whether the name of a table is selected. */
export const createNameFilter = ({ patterns }: TableSelection): ((name: string) => boolean) => {
  const expressions = patterns?.map(
    pattern => new RegExp(`^${escapePattern(pattern).replaceAll('*', '.*')}$`, 's'),
  )
  return name => expressions?.some(expression => expression.test(name)) ?? true
}
