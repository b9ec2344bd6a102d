const HEADINGS = new Map([
  ['me', 'A small query'],
  ['photos', 'A query for 71 nodes'],
  ['dated', '71 nodes with dates'],
  ['text', '71 nodes as JSON text'],
  ['compile', 'Compiling an expression'],
  ['list', 'Long lists'],
  ['growth', 'Graph size'],
  ['width', 'Page size'],
  ['policies', 'Policies'],
  ['visible-page', 'Lists with hidden entries'],
  ['event-loop', 'Event loop'],
  ['app-ids', 'App-scoped ids'],
  ['workload-tao', 'TAO reads'],
  ['workload-feed', 'A feed'],
  ['workload-wide', 'A wide query'],
  ['workload-archive', 'A social network'],
  ['workload-start', 'Process start'],
  ['workload-heap', 'Heap'],
  ['plan-cache', 'Plan cache'],
  ['entry', 'Package size'],
  ['http', 'HTTP'],
  ['http-growth', 'Heap of a server'],
  ['request-bodies', 'Request bodies'],
  ['stores-sqlite', 'SQLite'],
  ['stores-postgres', 'Postgres'],
  ['stores-tables', 'Existing tables'],
  ['stores-redis', 'Redis'],
  ['stores-cluster', 'Redis Cluster'],
  ['stores-lists', 'Long lists in databases'],
  ['scarce-page', 'Lists with few visible entries'],
  ['stores-load', 'Loading'],
])

/** Returns the heading of a row on the page, or the name of the row if it has no heading. */
export const headingOf = (row: string): string => HEADINGS.get(row) ?? row

/** Returns the link to a row on the page. */
export const linkToRow = (row: string): string => {
  const heading = headingOf(row)
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  return `[${heading}](#${anchor})`
}
