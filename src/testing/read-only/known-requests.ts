import type { Arbitrary } from 'fast-check'
import type { NodeId } from '../../base/ids.ts'
import type {
  EdgeCheck,
  EdgeKey,
  EdgeRange,
  EdgeRecord,
  StoreReadRequest,
  WantedFields,
} from '../../store/contract.ts'
import type { FastCheck } from '../store-suite.ts'
import type { KnownRecords } from './known-records.ts'

const MAX_ITEMS = 6

/** Returns wanted fields with every second field of each type, with the others, and with none. */
export const createWantedFields = ({ model }: KnownRecords): readonly WantedFields[] => {
  const namesByType = new Map<string, Set<string>>()
  for (const { type, fields } of model.nodes.values()) {
    const names = namesByType.get(type) ?? new Set()
    namesByType.set(type, names)
    for (const name of Object.keys(fields)) names.add(name)
  }
  const pick = (isWanted: (index: number) => boolean): WantedFields =>
    new Map(
      [...namesByType].map(([type, names]) => [
        type,
        new Set([...names].filter((_, index) => isWanted(index))),
      ]),
    )
  const allFields = new Map([...namesByType.keys()].map(type => [type, undefined]))
  return [pick(index => index % 2 === 0), pick(index => index % 2 === 1), new Map(), allFields]
}

/** Creates an arbitrary of checks with and without data, mostly of existing edges. */
const createCheckArbitrary = (
  fc: FastCheck,
  edges: readonly EdgeRecord[],
  list: Arbitrary<{ source: NodeId; name: string }>,
  target: Arbitrary<NodeId>,
): Arbitrary<EdgeCheck> => {
  const anyEdge: Arbitrary<EdgeKey> = fc
    .tuple(list, target)
    .map(([{ source, name }, id]) => ({ source, name, target: id }))
  const edge = edges.length === 0 ? anyEdge : fc.oneof(fc.constantFrom(...edges), anyEdge)
  return fc
    .tuple(edge, fc.boolean())
    .map(([{ source, name, target: id }, data]) => ({ source, name, target: id, data }))
}

/**
 * Returns a range that the engine may send. In a list whose positions have keys, it begins at the position of an edge,
 * and it has no times if the keys are no times.
 */
const toValidRange = (known: KnownRecords, range: EdgeRange, index: number): EdgeRange => {
  const list = known.findList(range)
  if (list === undefined || !list.hasKeys) return range
  const start = list.edges[index % list.edges.length]
  return {
    ...range,
    from: range.from && start && { time: start.time, target: start.target, key: start.key },
    ...(!list.hasTimes && { minTime: undefined, maxTime: undefined }),
  }
}

/** Creates an arbitrary of ranges, whose times and positions occur in the records. */
const createRangeArbitrary = (
  fc: FastCheck,
  known: KnownRecords,
  list: Arbitrary<{ source: NodeId; name: string }>,
  target: Arbitrary<NodeId>,
): Arbitrary<EdgeRange> => {
  const time = fc.constantFrom(0, ...known.model.edges.map(edge => edge.time))
  const optional = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined })
  const options = fc.record({
    direction: fc.constantFrom('oldest' as const, 'newest' as const),
    from: optional(fc.record({ time, target })),
    minTime: optional(time),
    maxTime: optional(time),
    limit: fc.constantFrom(100, 2, 1, 0),
    count: fc.boolean(),
  })
  return fc
    .tuple(list, options, fc.nat())
    .map(([key, options, index]) => toValidRange(known, { ...key, ...options }, index))
}

/** Creates an arbitrary of requests whose ids, names and positions occur in the records, or are near them. */
export const createKnownRequestArbitrary = (
  fc: FastCheck,
  known: KnownRecords,
): Arbitrary<StoreReadRequest> => {
  const { ids, missingIds, unknownNames, lists, model } = known
  const missingId = fc.constantFrom(...missingIds)
  const id =
    ids.length === 0 ? missingId : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, missingId)
  const names = [...new Set(lists.map(list => list.name))]
  const unknownName = fc.constantFrom(...unknownNames, 'another unknown name')
  const name =
    names.length === 0
      ? unknownName
      : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, unknownName)
  const keyOfList = lists.map(({ source, name }) => ({ source, name }))
  const anyKey = fc.record({ source: id, name })
  const listKey =
    lists.length === 0 ? anyKey : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keyOfList) }, anyKey)
  const few = <T>(item: Arbitrary<T>) => fc.array(item, { maxLength: MAX_ITEMS })
  return fc.record({
    nodes: few(id),
    ranges: few(createRangeArbitrary(fc, known, listKey, id)),
    checks: few(createCheckArbitrary(fc, model.edges, anyKey, id)),
    tokens: few(fc.constantFrom('an unknown digest', ...model.tokens.keys())),
    fields: fc.option(fc.constantFrom(...createWantedFields(known)), { nil: undefined }),
  })
}
