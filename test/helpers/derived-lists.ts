import { expect } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { EdgeRecord, NodeRecord, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { comparePositions } from './naive-graph/positions.ts'
import { type Dump, readDumpLines } from './read-dump-lines.ts'
import { historyIdsOf } from './write-histories.ts'

export type DumpedStore = Store & { dump(): Dump }

type KeyOf = (members: JsonObject) => number

const byNumber =
  (name: string, factor = 1): KeyOf =>
  members =>
    Number(members[name]) * factor

/** The collections: their types, and the time of an entry. */
const COLLECTIONS: { readonly [name: string]: readonly [types: readonly string[], keyOf: KeyOf] } = {
  everything: [['person', 'event'], () => 0],
  counted: [['person', 'event'], byNumber('count')],
  people: [['person'], byNumber('made')],
  events: [['event'], byNumber('seen', 1000)],
}

/** The orders of each stored list, and the time of an entry. */
const ORDERS: { readonly [list: string]: { readonly [order: string]: KeyOf } } = {
  friends: { top: byNumber('rank') },
  likes: { top: byNumber('rank'), late: byNumber('stamp', 1000) },
  likes_loud: { top: byNumber('rank'), late: byNumber('stamp', 1000) },
  likers: { soon: byNumber('at') },
  likers_loud: { soon: byNumber('at') },
}

type Entry = { readonly time: number; readonly target: string; readonly data?: JsonObject | undefined }
type Lists = { readonly [list: string]: { readonly total: number; readonly entries: readonly Entry[] } }

const compareEntries = (a: Entry, b: Entry): number => comparePositions('chronological', a, b)

/** Computes all collections and orders from the nodes and edges of a dump. */
const computeLists = async (kind: IdKind, dump: Dump): Promise<Lists> => {
  const records: readonly { readonly node?: NodeRecord; readonly edge?: EdgeRecord }[] = (
    await readDumpLines(dump)
  ).map(line => JSON.parse(line))
  const nodes = records.flatMap(({ node }) => node ?? [])
  const edges = records.flatMap(({ edge }) => edge ?? [])
  const collections = Object.entries(COLLECTIONS).map(([name, [types, keyOf]]) => {
    const entries = nodes
      .filter(({ type }) => types.includes(type))
      .map(({ id, fields }): Entry => ({ time: keyOf(fields), target: id, data: undefined }))
    return [`root ${name}`, entries] as const
  })
  const orders = historyIdsOf(kind).flatMap(id =>
    Object.entries(ORDERS).flatMap(([list, keysByOrder]) =>
      Object.entries(keysByOrder).map(([order, keyOf]) => {
        const entries = edges
          .filter(({ source, name }) => source === id && name === list)
          .map(
            ({ target, time, data = {} }): Entry => ({
              time: keyOf(data),
              target,
              data: { ...data, '#time': time },
            }),
          )
        return [`${id} ${list}#${order}`, entries] as const
      }),
    ),
  )
  return Object.fromEntries(
    [...collections, ...orders].map(([list, entries]) => [
      list,
      { total: entries.length, entries: entries.toSorted(compareEntries) },
    ]),
  )
}

/** Reads all collections and orders of a store. */
const readLists = async (kind: IdKind, store: Store): Promise<Lists> => {
  const names = [
    ...Object.keys(COLLECTIONS).map(name => ['root', name] as const),
    ...historyIdsOf(kind).flatMap(id =>
      Object.entries(ORDERS).flatMap(([list, orders]) =>
        Object.keys(orders).map(order => [id, `${list}#${order}`] as const),
      ),
    ),
  ]
  const ranges = names.map(([source, name]) => createRange(source, name, { limit: 100, count: true }))
  const result = await store.read(
    { ...EMPTY_REQUEST, ranges },
    { signal: undefined, deadline: undefined, minRevision: 'newest' },
  )
  return Object.fromEntries(
    names.map(([source, name], index) => {
      const { entries = [], total = 0 } = result.ranges[index] ?? {}
      return [
        `${source} ${name}`,
        { total, entries: entries.map(({ time, target, data }) => ({ time, target, data })) },
      ]
    }),
  )
}

/** Expects that the collections and orders of a store are equal to its nodes and edges. Returns their size. */
export const expectDerivedLists = async (kind: IdKind, store: DumpedStore): Promise<number> => {
  const stored = await readLists(kind, store)
  expect(stored).toEqual(await computeLists(kind, store.dump()))
  return Object.values(stored).reduce((sum, { total }) => sum + total, 0)
}
