import type { IdKind } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'
import { createNode, createToken } from '../records.ts'
import { FIELDS } from '../sections/nodes.ts'
import { TEXTS } from '../sections/text.ts'
import { renameRecords, type StoreRecords } from './store-records.ts'

/** More entries than a store is likely to read at once. */
const HUB_DEGREE = 2500
/** Four edges have the same time. */
const EDGES_PER_TIME = 4
/** A prime number, so that the edges are unsorted. */
const STRIDE = 7919

/** Ids that have another order as text or as doubles. */
const IDS = ['1', '2', '9', '10', '100', '9007199254740992', '9007199254740993', '9223372036854775807']
const TIMES = [-8.64e15, -40, -1, 0, 0, 1, 8.64e15 - 1, 8.64e15]

const createEdge = (
  source: string,
  name: string,
  target: string,
  time: number,
  data?: JsonObject,
): EdgeRecord => (data === undefined ? { source, name, target, time } : { source, name, target, time, data })

const createFields = (text: string): JsonObject =>
  Object.fromEntries([
    [text, text],
    ['value', { [text]: [text] }],
  ])

/** Creates a node with as many edges from it as to it. */
const createHub = (): Pick<StoreRecords, 'nodes' | 'edges'> => {
  const others = Array.from(
    { length: HUB_DEGREE },
    (_, index) => `${100_000 + ((index * STRIDE) % HUB_DEGREE)}`,
  )
  return {
    nodes: [createNode('99999'), ...others.map((id, index) => createNode(id, { index }))],
    edges: others.flatMap((id, index) => [
      createEdge('99999', 'likes', id, Math.floor(Number(id) / EDGES_PER_TIME), { index }),
      createEdge(id, 'likes', '99999', index),
    ]),
  }
}

/** Creates a node for each text. The text is its type, the name of a field, and the name of two of its edges. */
const createTexts = (): Pick<StoreRecords, 'nodes' | 'edges'> => {
  const idOf = (index: number): string => `${1000 + index}`
  return {
    nodes: TEXTS.map((text, index) => createNode(idOf(index), createFields(text), text)),
    edges: TEXTS.flatMap((name, index) => [
      createEdge('5', name, idOf(index), index, createFields(name)),
      createEdge(idOf(index), name, idOf((index + 1) % TEXTS.length), index),
    ]),
  }
}

/** Creates edges whose joined texts of source, name and target are equal. */
const createLookalikes = (): EdgeRecord[] =>
  [
    ['1', '2a', '10'],
    ['1', 'a', '10'],
    ['10', '', '2'],
    ['10', '0', '2'],
    ['100', '', '2'],
    ['1', '00', '2'],
  ].map(([source = '', name = '', target = ''], time) => createEdge(source, name, target, time))

/**
 * Creates records for tests of a store whose tables you can fill once. They include every kind of value, texts
 * that naive code handles wrongly, equal, negative and extreme times, large ids, and lists of 2,500 edges.
 *
 * @param ids The kind of the ids. Default `digits`.
 * @example
 * ```ts
 * import { createSampleRecords } from 'kithgraph/testing'
 *
 * const { nodes, edges } = createSampleRecords()
 * console.log(nodes.length > 2500, edges.length > 5000) // true true
 * ```
 */
export const createSampleRecords = (ids: IdKind = 'digits'): StoreRecords =>
  ids === 'digits' ? createDigitsRecords() : renameRecords(createDigitsRecords())

const createDigitsRecords = (): StoreRecords => {
  const [hub, texts] = [createHub(), createTexts()]
  const nodes: NodeRecord[] = [
    ...IDS.map(id => createNode(id, FIELDS)),
    createNode('5', Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, index]))),
    createNode('6'),
    createNode('7', { text: 'long text, \u0000 and 😀; '.repeat(4096) }),
  ]
  const edges = [
    ...IDS.map((id, index) => createEdge('6', 'likes', id, 20, { index })),
    ...IDS.map((id, index) => createEdge('6', 'events', id, TIMES[index] ?? 0)),
    createEdge('6', 'self', '6', 0, {}),
    createEdge('6', 'long', '7', 0, { text: 'x'.repeat(100_000) }),
    ...createLookalikes(),
  ]
  return {
    nodes: [...nodes, ...texts.nodes, ...hub.nodes],
    edges: [...edges, ...texts.edges, ...hub.edges],
    tokens: TEXTS.map((digest, index) => ({
      digest,
      token: createToken(digest, { viewer: '1', scopes: [digest, 'email'], issuedAt: index - 1 }),
    })),
  }
}
