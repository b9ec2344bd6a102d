import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckedEngine,
  type CheckedStore,
  SCHEMA_FILE,
  startSqliteEngine,
  writePeople,
} from './checked-stores.ts'

const FAR = { source: '1', name: 'knows', target: '2', parameters: { near: false } } as const
const idOf = (name: string): string => `(select id from names where text = '"${name}"')`
const HEALTHY = 'checked 3 nodes and 9 edges: no errors'

describe('check store with stored lists', () => {
  let engine: CheckedEngine
  beforeAll(async () => {
    engine = await startSqliteEngine()
  })
  afterAll(() => engine.stop())

  /** Creates a store with an edge in both lists of `knows`. */
  const withLists = async (body: (store: CheckedStore) => Promise<void>): Promise<void> => {
    const store = await engine.create()
    try {
      await writePeople(store)
      await store.graph.write([
        { op: 'putEdge', edge: { ...FAR, time: 8, data: { since: 1990 } } },
        { op: 'putEdge', edge: { ...FAR, time: 9, parameters: {} } },
      ])
      await body(store)
    } finally {
      await store.close()
    }
  }
  const damageLines = (lines: readonly string[]) =>
    lines.filter(line => !/^(?:checked|repair|note)/.test(line))

  it('reports nothing in a healthy store', () =>
    withLists(async store => {
      expect(await store.check('--schema', SCHEMA_FILE)).toEqual({ status: 0, lines: [HEALTHY], errors: [] })
    }))

  it('reports the missing mirror in the list of the same values, and adds it', () =>
    withLists(async store => {
      await store.execute(
        `delete from edges where source = 2 and name = ${idOf('far_known_by')};
         delete from counts where source = 2 and name = ${idOf('far_known_by')}`,
      )
      const line = 'half mirror: 1 "knows_far" 2: the mirror 2 "far_known_by" 1 is missing'
      const { lines } = await store.check('--schema', SCHEMA_FILE)
      expect(damageLines(lines)).toEqual([line])
      expect((await store.check('--schema', SCHEMA_FILE, '--repair')).lines.at(-1)).toBe(HEALTHY)
    }))

  it('reports a mirror with another time in a list', () =>
    withLists(async store => {
      await store.execute(`update edges set time = 99 where name = ${idOf('far_known_by')}`)
      const { lines } = await store.check('--schema', SCHEMA_FILE)
      expect(damageLines(lines)).toEqual([
        'unequal mirror: 1 "knows_far" 2: the mirror 2 "far_known_by" 1 has another time or other data',
      ])
    }))

  it('reports data that the edge of the list does not declare or allow', () =>
    withLists(async store => {
      await store.execute(
        `update edges set data = '{"since":"long","note":1}' where name in (${idOf('knows_far')}, ${idOf('far_known_by')})`,
      )
      const { lines } = await store.check('--schema', SCHEMA_FILE)
      expect(damageLines(lines).map(line => line.split(';')[0])).toEqual([
        'contradiction: "person"."knows_far"."since": the value is not valid for the type of the field',
        'contradiction: "person"."knows_far"."note": the schema does not declare this field as a stored one',
        'contradiction: "person"."far_known_by"."since": the value is not valid for the type of the field',
        'contradiction: "person"."far_known_by"."note": the schema does not declare this field as a stored one',
      ])
    }))

  it('reports a list that no edge of the type has', () =>
    withLists(async store => {
      await store.execute(`update names set text = '"knows_all"' where text = '"knows_far"'`)
      const { lines } = await store.check('--schema', SCHEMA_FILE)
      expect(damageLines(lines)).toEqual([
        'half mirror: 2 "far_known_by" 1: the mirror 1 "knows_far" 2 is missing',
        'contradiction: "person"."knows_all": the schema does not declare this edge or list; 1 time, such as in 1',
      ])
    }))
})
