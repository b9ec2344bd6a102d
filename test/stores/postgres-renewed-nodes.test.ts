import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange, putEdge, putNode, putNodes } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }

let server: PostgresServer
let pool: pg.Pool
let schemas = 0

beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
})
afterAll(() => server?.stop())

const openStore = async () => {
  const store = createPostgresStore(pool, { schema: `fresh_${++schemas}` })
  await store.open()
  return { store }
}

describe('a Postgres node that is deleted and put again in one batch', () => {
  const renew = (id: string, by: string, ...targets: readonly string[]): readonly StoreMutation[] => [
    { op: 'deleteNode', id },
    putNode(id, { by }),
    ...targets.map(target => putEdge(id, 'likes', target)),
  ]

  it('exists at every moment for concurrent writers, so that their edges and patches succeed', async () => {
    const { store } = await openStore()
    await store.write(putNodes('1', '2'), OPTIONS)
    const others: readonly (readonly StoreMutation[])[] = [
      [putEdge('1', 'likes', '2')],
      [{ op: 'patchNode', id: '2', fields: { seen: true } }],
    ]
    for (let round = 0; round < 40; round++)
      await Promise.all([renew('2', 'renewer'), ...others].map(batch => store.write(batch, OPTIONS)))
  })

  it.each(['stored before', 'new'])(
    'has only the edges of the later of two such concurrent batches if the node was %s',
    async kind => {
      const { store } = await openStore()
      const ids = Array.from({ length: 40 }, (_, index) => `${index + 10}`)
      await store.write(putNodes('1', '2', ...(kind === 'new' ? [] : ids)), OPTIONS)
      for (const id of ids) {
        await Promise.all([
          store.write(renew(id, '1', '1'), OPTIONS),
          store.write(renew(id, '2', '2'), OPTIONS),
        ])
        const { nodes, ranges } = await store.read(
          { ...EMPTY_REQUEST, nodes: [id], ranges: [createRange(id, 'likes', { limit: 5 })] },
          OPTIONS,
        )
        expect(ranges[0]?.entries.map(({ target }) => target)).toEqual([nodes[0]?.fields.by])
      }
    },
  )
})
