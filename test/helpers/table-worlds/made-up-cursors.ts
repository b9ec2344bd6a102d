import fc, { type Arbitrary } from 'fast-check'
import { type AnyGraph, createGraph, namedId } from 'kithgraph'
import { CURSOR_PREFIX_LENGTH, encodePosition } from '../../../src/core/cursor-letters.ts'
import type { EdgeRange, NodeRecord, RangeResult, Store } from '../../../src/store/contract.ts'
import type { ListMapping, TableModel } from '../../../src/tables/model/table-model.ts'
import { createEmptyRange } from '../../../src/tables/rows/empty-range.ts'
import { findList, parseRowId } from '../../../src/tables/rows/row-ids.ts'
import { keyText } from '../key-text.ts'
import { findListOf, IDS, type PageCall } from './calls.ts'
import { createReferenceStore } from './compare.ts'
import type { WorldTables } from './graph.ts'
import { START, TEXTS } from './rows.ts'

type Position = Parameters<typeof encodePosition>[0]

/** Times of rows, in microseconds after {@link START}, and times between them. */
const micros = fc.constantFrom(-1, 0, 1, 2, 500, 999, 1000, 1001, 2500, 999_999, 1_000_000, 86_400_000_000)
const times: Arbitrary<Omit<Position, 'target'>> = micros.map(after => ({
  time: START + Math.floor(after / 1000),
  key: `${BigInt(START) * 1000n + BigInt(after)}`,
}))
const texts = fc.constantFrom(...TEXTS).map(text => ({ time: 0, key: `=${text}` }))
const numbers = fc.constantFrom(0, 0.1, -1.5, 1e21, 2, 1).map(number => ({ time: 0, key: `=${number}` }))
const noValue = fc.constant({ time: 0, key: 'null' })
const anything = keyText.map(key => ({ time: 0, key }))

const orderedBy = ({ order: { column, isTime } }: ListMapping): Arbitrary<Omit<Position, 'target'>> => {
  if (column === undefined) return fc.constant({ time: 0, key: '' })
  if (isTime) return times
  return column.kind === 'float' ? numbers : texts
}

const targetsOf = ({ target: { prefix } }: ListMapping): Arbitrary<string> =>
  fc.constantFrom(...IDS.filter(id => id.startsWith(`${prefix}-`)))

/** Creates positions in a list: mostly those that a row has or may have, and sometimes others. */
const positionsIn = (list: ListMapping): Arbitrary<Position> =>
  fc
    .tuple(
      fc.oneof({ arbitrary: orderedBy(list), weight: 8 }, noValue, anything),
      fc.oneof({ arbitrary: targetsOf(list), weight: 8 }, fc.constantFrom(...IDS)),
    )
    .map(([value, target]) => ({ ...value, target }))

/** A call for the page of a list after or before a position. */
export type CursorCall = {
  readonly call: PageCall
  readonly position: Position
  readonly side: 'after' | 'before'
  /** Whether the list is read as a field of its source. */
  readonly isField: boolean
}

/** Adds positions that callers make up to calls for pages. */
export const withMadeUpPositions = (model: TableModel, calls: Arbitrary<PageCall>): Arbitrary<CursorCall> =>
  calls.chain(call =>
    fc.record({
      call: fc.constant(call),
      position: positionsIn(findListOf(model, call)),
      side: fc.constantFrom('after', 'before'),
      isField: fc.boolean(),
    }),
  )

/** A store of which each id is a node, and each list has one entry, so that a page of it has a cursor. */
const createStoreOfOneEntry = (model: TableModel): Store => {
  const toNode = (id: string): NodeRecord | undefined => {
    const row = parseRowId(model, id)
    return row && { id, type: row.type.name, fields: {} }
  }
  const readRange = (range: EdgeRange): RangeResult => {
    const list = findList(model, range)?.list
    const target = namedId(list?.target.prefix ?? 'none', ...(list?.target.keys ?? []).map(() => '1'))
    const node = toNode(target)
    if (node === undefined) return createEmptyRange(range.count)
    const entry = { target, time: 0, key: '', data: undefined, node }
    return { entries: [entry], hasMore: false, lastExamined: entry, total: 1 }
  }
  return {
    ...createReferenceStore(() => {
      throw new Error('This store has no model')
    }),
    read: ({ nodes, ranges }) => ({
      nodes: nodes.map(toNode),
      ranges: ranges.map(readRange),
      checks: [],
      tokens: [],
    }),
  }
}

/**
 * Returns the function that encodes a position as a cursor of the list of a call, as a caller can. The graph has no
 * policies, so that it shows a cursor of each list.
 */
export const createCursorMaker = ({ schema, tables }: WorldTables) => {
  const graph: AnyGraph = createGraph(createStoreOfOneEntry(tables['~model']), {
    schema,
    secret: 'a secret of the tests',
  })
  const session = graph.session({ viewer: 'account-1', app: 'cursors' })
  return async ({ call, position }: CursorCall): Promise<string> => {
    const { id, edge, order, parameters } = call
    const { paging } = await graph.getEdge(session, { id, edge, order, parameters })
    const cursor = paging?.cursors.after ?? ''
    return cursor.slice(0, CURSOR_PREFIX_LENGTH) + encodePosition(position)
  }
}
