/** Parses a link to a page of an edge into the options of the call that reads the page. */
export const parseLink = (link: string) => {
  const url = new URL(link, 'http://graph.test')
  const [edge = '', id = '', version] = url.pathname.split('/').toReversed()
  const { limit, summary, partial, ...parameters } = Object.fromEntries(url.searchParams)
  return {
    id,
    edge,
    ...(version !== undefined && version !== '' && { version }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(summary !== undefined && { summary: summary === 'true' }),
    ...(partial !== undefined && { partial: partial === 'true' }),
    ...parameters,
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
