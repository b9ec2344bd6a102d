import type {
  EdgePosition,
  EdgeRange,
  NodeRecord,
  Store,
  StoreReadOptions,
  WantedFields,
} from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { rangesRequest, UNTIMED_OPTIONS } from '../../store/requests.ts'
import type { ListMapping, RowFilter, TableModel, TypeMapping } from '../model/table-model.ts'

/** The maximum time of a statement that may read a whole table, in milliseconds. */
const MAX_TIME_MS = 600_000
/** The maximum number of rows of one read. */
const PAGE_SIZE = 1000
/** Lists cannot have names with these signs twice, so the added one differs from all others. */
const SAMPLE_NAME = '##sample'

/** Whether filters need the session of a call. Without one, no row matches. */
export const hasSession = (filters: readonly RowFilter[]): boolean =>
  filters.some(({ kind }) => kind === 'session')

/** Returns a model with a type, and with the list of all its nodes in the order of their keys. */
export const withSample = (model: TableModel, type: TypeMapping): TableModel => {
  const list: ListMapping = {
    name: SAMPLE_NAME,
    path: type.name,
    source: undefined,
    target: type,
    table: type.table,
    isJoin: false,
    sourceColumns: [],
    targetColumns: type.keys,
    order: { column: undefined, isTime: false, nulls: 'none' },
    filters: [],
    count: { kind: 'capped', max: 0 },
    data: [],
  }
  return {
    ...model,
    types: new Map([...model.types, [type.name, type]]),
    typesByPrefix: new Map([...model.typesByPrefix, [type.prefix, type]]),
    collections: new Map([[SAMPLE_NAME, list]]),
  }
}

/** Returns the range of a list that a check reads. */
export const toRange = (source: string, name: string, range: Partial<EdgeRange>): EdgeRange => ({
  source,
  name,
  direction: 'oldest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 0,
  count: false,
  ...range,
})

/** Returns the options of a read of a check. Its time begins now. */
export const createOptions = (): StoreReadOptions => ({
  ...UNTIMED_OPTIONS,
  deadline: Date.now() + MAX_TIME_MS,
})

/** Reads the nodes of a sample with the smallest and the largest keys, at most `size` of each, each once. */
export async function* readSample(
  store: Store,
  size: number,
  fields: WantedFields,
): AsyncGenerator<NodeRecord> {
  const seen = new Set<string>()
  for (const direction of ['oldest', 'newest'] as const) {
    let from: EdgePosition | undefined
    for (let rest = size; rest > 0; rest -= PAGE_SIZE) {
      const range = toRange(ROOT_ID, SAMPLE_NAME, { direction, from, limit: Math.min(PAGE_SIZE, rest) })
      const { ranges } = await store.read(rangesRequest([range], fields), createOptions())
      for (const { node } of ranges.flatMap(({ entries }) => entries)) {
        if (!seen.has(node.id)) yield node
        seen.add(node.id)
      }
      from = ranges[0]?.lastExamined
      // The first direction has read all nodes.
      if (ranges[0]?.hasMore !== true) return
    }
  }
}
