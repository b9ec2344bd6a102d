import { createPostgresStore, type PostgresPoolClient, type PostgresQuery } from 'kithgraph/postgres'
import { describe, expect, it } from 'vitest'
import { guardStore } from '../../../src/store/guard.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { createPool } from '../../helpers/watched-clients.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

/** Creates a store whose connections record their statements. A read of nodes never ends. */
const createRecordedStore = (prepare: boolean | undefined) => {
  const queries: PostgresQuery[] = []
  const released: (boolean | undefined)[] = []
  const connect = async (): Promise<PostgresPoolClient> => ({
    processID: 7,
    query: query => {
      queries.push(query)
      const isOfNodes = query.text.includes('.nodes') && !query.text.includes('create')
      return isOfNodes ? new Promise(() => undefined) : Promise.resolve({ rows: [] })
    },
    on: () => undefined,
    off: () => undefined,
    release: isDestroyed => void released.push(isDestroyed === true),
  })
  const store = createPostgresStore(createPool(connect), { prepare })
  const readNodes = (deadline: number) =>
    expectGraphError(
      Promise.resolve(store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, { ...OPTIONS, deadline })),
    )
  return { store, queries, released, readNodes }
}

describe('a Postgres store with prepare: false', () => {
  it('prepares no statement by name', async () => {
    const names = async (prepare: boolean | undefined) => {
      const { store, queries } = createRecordedStore(prepare)
      await store.read({ ...EMPTY_REQUEST, tokens: ['digest'] }, OPTIONS)
      return queries.map(query => 'name' in query)
    }
    expect(await names(false)).toEqual([false])
    expect(await names(undefined)).toEqual([true])
    expect(await names(true)).toEqual([true])
  })

  it('closes the connection of a statement past its deadline at once, and cancels nothing', async () => {
    const { queries, released, readNodes } = createRecordedStore(false)
    const start = performance.now()
    expect((await readNodes(Date.now() + 50)).reason).toBe('timeout')
    expect(performance.now() - start).toBeLessThan(900)
    expect(released).toEqual([true])
    expect(queries).toHaveLength(1)
  })

  it('differs from a store that prepares statements, which cancels the statement', async () => {
    const { queries, readNodes } = createRecordedStore(true)
    await readNodes(Date.now() + 50)
    await expect.poll(() => queries.at(-1)?.text).toContain('pg_cancel_backend')
  })

  it('is rejected if the value is not a boolean', () => {
    expect(() => guardStore(createRecordedStore(JSON.parse('"no"')).store)).toThrow(
      new TypeError('createPostgresStore: "prepare" must be a boolean; received "no"'),
    )
  })
})
