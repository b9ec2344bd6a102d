import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mutation } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { putEdge, putNode, putNodes, rangeOf } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const OPTIONS = { signal: undefined, deadline: undefined, atLeast: undefined }

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const opened = async () => {
  const store = createPostgresStore(pool, { schema: `fresh_${++schemas}` })
  await store.open()
  return { store }
}

describe('a node that is deleted and put again in one batch', () => {
  const renew = (id: string, by: string, ...targets: readonly string[]): readonly Mutation[] => [
    { op: 'deleteNode', id },
    putNode(id, { by }),
    ...targets.map(target => putEdge(id, 'likes', target)),
  ]

  it('is there for all other writers, at every moment', async () => {
    const { store } = await opened()
    await store.write(putNodes('1', '2'), OPTIONS)
    const others: readonly (readonly Mutation[])[] = [
      [putEdge('1', 'likes', '2')],
      [{ op: 'patchNode', id: '2', fields: { seen: true } }],
    ]
    for (let round = 0; round < 40; round++)
      await Promise.all([renew('2', 'renewer'), ...others].map(batch => store.write(batch, OPTIONS)))
  })

  it.each(['there before', 'new'])('holds the edges of the last such batch alone: one %s', async kind => {
    const { store } = await opened()
    const ids = Array.from({ length: 40 }, (_, index) => `${index + 10}`)
    await store.write(putNodes('1', '2', ...(kind === 'new' ? [] : ids)), OPTIONS)
    for (const id of ids) {
      await Promise.all([
        store.write(renew(id, '1', '1'), OPTIONS),
        store.write(renew(id, '2', '2'), OPTIONS),
      ])
      const { nodes, ranges } = await store.read(
        { ...NOTHING, nodes: [id], ranges: [rangeOf(id, 'likes', { limit: 5 })] },
        OPTIONS,
      )
      expect(ranges[0]?.entries.map(({ target }) => target)).toEqual([nodes[0]?.fields.by])
    }
  })
})
