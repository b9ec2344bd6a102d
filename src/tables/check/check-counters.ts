import type { NodeId } from '../../base/ids.ts'
import type { Store } from '../../store/contract.ts'
import { rangesRequest } from '../../store/requests.ts'
import type { ListMapping, TableModel, TypeMapping } from '../model/table-model.ts'
import type { TableFinding } from './findings.ts'
import { createOptions, hasSession, readSample, toRange, withSample } from './sample.ts'

/** The number of nodes at each end of the keys of a type whose counters are checked. */
const SAMPLE_SIZE = 100
/** The number of rows up to which a list is counted. A longer one is not checked. */
const MAX_COUNTED = 100_000

/** Lists cannot have names with these signs twice, so the added one differs from all others. */
const toCountedName = (name: string): string => `${name}##counted`

/** A list with a counter, and the type whose nodes have the list. */
type CountedList = { readonly list: ListMapping; readonly source: TypeMapping; readonly column: string }

/** The lists whose counters can be checked: without a session, no row matches its values. */
const findCountedLists = ({ types }: TableModel): readonly CountedList[] =>
  [...types.values()].flatMap(source =>
    [...source.lists.values()].flatMap(list => {
      const { count, filters, target } = list
      const isUnknown = [filters, target.filters, source.filters].some(hasSession)
      return count.kind !== 'column' || isUnknown ? [] : [{ list, source, column: count.column.name }]
    }),
  )

/** Adds a list with all nodes of the type of a counted list, and one that counts the rows. */
const createCheckedModel = (model: TableModel, { list, source }: CountedList): TableModel => {
  const name = toCountedName(list.name)
  const counted: ListMapping = { ...list, name, count: { kind: 'capped', max: MAX_COUNTED } }
  return withSample(model, { ...source, lists: new Map([...source.lists, [name, counted]]) })
}

const NO_FIELDS = new Map()

const checkList = async (store: Store, { list, column }: CountedList): Promise<readonly TableFinding[]> => {
  const sample: NodeId[] = []
  for await (const { id } of readSample(store, SAMPLE_SIZE, NO_FIELDS)) sample.push(id)
  const names = [list.name, toCountedName(list.name)]
  const ranges = sample.flatMap(id => names.map(name => toRange(id, name, { count: true })))
  const { ranges: results } = await store.read(rangesRequest(ranges, NO_FIELDS), createOptions())
  const ids = sample.filter((_, index) => {
    const [counter, counted] = results.slice(index * 2)
    return counted?.total !== undefined && counter?.total !== counted.total
  })
  return ids.length === 0
    ? []
    : [{ kind: 'wrongCounter', list: list.path, column, ids, sampled: sample.length }]
}

/**
 * Counts the rows of lists with a counter, for some nodes of each type, and compares the numbers. The table store
 * itself counts, so that exactly the rows count that a graph shows.
 */
export const checkCounters = async (
  model: TableModel,
  openStore: (model: TableModel) => Store,
): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = []
  for (const counted of findCountedLists(model)) {
    const store = openStore(createCheckedModel(model, counted))
    await store.open()
    try {
      findings.push(...(await checkList(store, counted)))
    } finally {
      await store.close()
    }
  }
  return findings
}
