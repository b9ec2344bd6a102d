import { formatDatetime } from '../../src/base/dates.ts'
import type { AssociationRead } from '../data/association-reads.ts'
import { ASSOCIATIONS, type Association, type Associations, objectId } from '../data/associations.ts'
import type { AssociationReader } from './association-graph.ts'
import { createPageWriter, type Envelope } from './pages-by-hand.ts'

/** An association list, with its entries in order and a set of its targets. */
type List = { readonly entries: readonly Association[]; readonly targets: ReadonlySet<string> }

const EMPTY_LIST: List = { entries: [], targets: new Set() }

const formatEntry = ({ target, time, note }: Association): object =>
  note === undefined
    ? { time: formatDatetime(time), id: target }
    : { time: formatDatetime(time), note, id: target }

/** Finds the index of the first entry that is at most as new as `newest`. The newest entries are first. */
const findIndex = (entries: readonly Association[], newest: number): number => {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.time ?? 0) > newest) low = middle + 1
    else high = middle
  }
  return low
}

/** Creates the read functions for all lists with one name. */
const createEdge = (name: string, { lists }: Associations) => {
  const bySource = new Map<string, List>()
  for (const { source, name: own, entries } of lists)
    if (own === name) bySource.set(source, { entries, targets: new Set(entries.map(({ target }) => target)) })
  const write = createPageWriter(name, 'reverse_chronological')
  const listOf = (source: string): List => bySource.get(source) ?? EMPTY_LIST
  const page = (
    source: string,
    { from, end, limit, query }: { from: number; end: number; limit: number; query: string },
  ): Envelope => {
    const { entries } = listOf(source)
    const to = Math.min(end, from + limit)
    const data = entries.slice(from, to).map(formatEntry)
    return write({ source, data, first: entries[from], last: entries[to - 1], hasMore: to < end, query })
  }
  return {
    has: (source: string, target: string) => listOf(source).targets.has(target),
    range: (source: string, limit: number) =>
      page(source, {
        from: 0,
        end: listOf(source).entries.length,
        limit,
        query: `fields=time%2Cnote&limit=${limit}`,
      }),
    timeRange(source: string, limit: number, since: number, until: number) {
      const { entries } = listOf(source)
      const query = `fields=time%2Cnote&limit=${limit}&since=${since}&until=${until}`
      const from = findIndex(entries, until * 1000 + 999)
      return page(source, { from, end: findIndex(entries, since * 1000 - 1), limit, query })
    },
    count(source: string) {
      const { entries } = listOf(source)
      const [first] = entries
      const data = first === undefined ? [] : [{ id: first.target }]
      const query = 'fields=id&limit=1&summary=true'
      return {
        ...write({ source, data, first, last: first, hasMore: entries.length > 1, query }),
        summary: { order: 'reverse_chronological', total_count: entries.length },
      }
    },
  }
}

/** Hand-written code over Maps for exactly these reads. */
export const createAssociationMaps = (associations: Associations): AssociationReader => {
  const objects = new Map(associations.payloads.map((payload, index) => [objectId(index), { payload }]))
  const edges = new Map(ASSOCIATIONS.names.map(name => [name, createEdge(name, associations)]))
  const result = (read: AssociationRead): unknown => {
    const { kind, id } = read
    if (kind === 'obj_get') return { payload: objects.get(id)?.payload, id }
    const edge = edges.get(read.edge)
    switch (kind) {
      case 'assoc_get':
        return edge?.has(id, read.target)
      case 'assoc_count':
        return edge?.count(id)
      case 'assoc_range':
        return edge?.range(id, read.limit)
      case 'assoc_time_range':
        return edge?.timeRange(id, read.limit, read.since, read.until)
    }
  }
  return { name: 'hand-written code over Maps', read: result }
}
