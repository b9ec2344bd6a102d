/** Converts the text of a parameter to its value. The tests have no text that is a number or a boolean. */
const parseValue = (text: string): string | number | boolean =>
  text === 'true' || text === 'false' ? text === 'true' : /^-?\d+$/.test(text) ? Number(text) : text

/** Parses a link to a page of an edge into the options of the call that reads the page. */
export const parseLink = (link: string) => {
  const url = new URL(link, 'http://graph.test')
  const [edge = '', id = '', version] = url.pathname.split('/').toReversed()
  const { limit, summary, partial, fields, debug, order, after, before, since, until, ...others } =
    Object.fromEntries(url.searchParams)
  const page = { fields, debug, order, after, before, since, until }
  const parameters = Object.entries(others).map(([name, text]) => [name, parseValue(text)] as const)
  return {
    id,
    edge,
    ...(version !== undefined && version !== '' && { version }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(summary !== undefined && { summary: summary === 'true' }),
    ...(partial !== undefined && { partial: partial === 'true' }),
    ...Object.fromEntries(Object.entries(page).filter(([, text]) => text !== undefined)),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
  }
}

/** Finds the links in a result, on all levels. */
export const findLinks = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const isPaging = 'cursors' in value
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    isPaging && typeof member === 'string' && (name === 'next' || name === 'previous')
      ? [member]
      : findLinks(member),
  )
}
