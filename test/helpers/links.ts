/** A link to a page of an edge, read back into the call that it stands for. */
export const callOf = (link: string) => {
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

/** The links in an answer, on all levels. */
export const linksIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const isPaging = 'cursors' in value
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    isPaging && typeof member === 'string' && (name === 'next' || name === 'previous')
      ? [member]
      : linksIn(member),
  )
}
