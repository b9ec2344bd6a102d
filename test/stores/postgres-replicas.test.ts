import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const REPLICA_TIMEOUT_MS = { timeout: 60_000 }

let primary: PostgresServer
let follower: PostgresServer
let replica: pg.Pool
let store: Store

beforeAll(async () => {
  primary = await startPostgres()
  follower = await primary.startReplica()
  replica = follower.pool()
  store = createPostgresStore(primary.pool(), { replicas: [replica] })
  await store.open()
})
afterAll(async () => {
  await follower?.stop()
  await primary?.stop()
})

const write = async (n: number): Promise<string | undefined> =>
  (await store.write([putNode('1', { n })], { signal: undefined })).revision

const read = async (minRevision?: string): Promise<unknown> => {
  const options = { signal: undefined, deadline: undefined, minRevision }
  return (await store.read({ ...EMPTY_REQUEST, nodes: ['1'] }, options)).nodes[0]?.fields.n
}

/** Queries the replica directly, because the primary serves the reads of a replica that is behind. */
const expectRevision = async (revision: string | undefined): Promise<void> => {
  const { rows } = await replica.query('select pg_last_wal_replay_lsn() >= $1 as reached', [revision])
  expect(rows).toEqual([{ reached: true }])
}

const replayState = async (): Promise<unknown> =>
  (await replica.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state

describe('a Postgres store with a replica', () => {
  it('reads from the replica, and from the primary at a revision that the replica has not reached', async () => {
    const first = await write(1)
    await vi.waitFor(() => expectRevision(first), REPLICA_TIMEOUT_MS)
    await replica.query('select pg_wal_replay_pause()')
    // The replica pauses a moment after the call.
    await expect.poll(replayState).toBe('paused')
    const second = await write(2)
    expect(await read()).toBe(1)
    expect(await read(second)).toBe(2)
    await replica.query('select pg_wal_replay_resume()')
    await vi.waitFor(() => expectRevision(second), REPLICA_TIMEOUT_MS)
    expect(await read()).toBe(2)
    expect(await read(second)).toBe(2)
  })

  it('returns a write in a read at the revision of that write, while the replica may be behind', async () => {
    for (let n = 10; n < 60; n++) expect(await read(await write(n))).toBe(n)
  })

  it('rejects a text that is not a revision as minRevision', async () => {
    await expect(read('yesterday')).rejects.toThrow(
      new TypeError(
        'store.read: "minRevision" must be a revision that a write returned; received "yesterday"',
      ),
    )
  })
})

describe('a Postgres replica that is behind', () => {
  /** Creates another graph over the same servers, as another process does. */
  const openGraph = () => createGraph(createPostgresStore(primary.pool(), { replicas: [replica] }))

  /**
   * Pauses the replica while `body` runs. Both servers have the node of Ada; only the primary has later
   * writes.
   */
  const whileBehind = async (body: () => Promise<void>): Promise<void> => {
    const { revision } = await openGraph().write([
      { op: 'putNode', node: { id: '101', type: 'user', fields: { name: 'Ada' } } },
    ])
    await vi.waitFor(() => expectRevision(revision), REPLICA_TIMEOUT_MS)
    await replica.query('select pg_wal_replay_pause()')
    await expect.poll(replayState).toBe('paused')
    try {
      await body()
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
  }

  it('is not used for the reads that a write makes', async () => {
    const edge = { source: '101', name: 'friends', target: '102' } as const
    const friendsOf = (minRevision: string | undefined) => {
      const graph = openGraph()
      const ada = graph.session({ viewer: '101', app: 'a', scopes: ['user_friends'] })
      return graph.getEdge(ada, { id: '101', edge: 'friends', fields: 'name,about', minRevision })
    }
    await whileBehind(async () => {
      await openGraph().write([
        { op: 'putNode', node: { id: '102', type: 'user', fields: { name: 'Grace' } } },
      ])
      await openGraph().write([{ op: 'patchNode', id: '102', fields: { about: 'Compilers.' } }])
      await openGraph().load([{ edge: { ...edge, time: 0 } }])
      const { revision } = await openGraph().write([{ op: 'deleteEdge', edge }])
      expect((await friendsOf(revision)).data).toEqual([])
      // The edge does not exist on the primary, but it still exists on the replica. A read at the revision of
      // this delete must not return it.
      const again = await openGraph().write([{ op: 'deleteEdge', edge }])
      expect((await friendsOf(again.revision)).data).toEqual([])
    })
  })

  it('is not used for tokens: the next read rejects a revoked token', async () => {
    await whileBehind(async () => {
      const { tokens, getNode } = openGraph()
      const [one, other] = [
        await tokens.issue({ viewer: '101', app: 'a' }),
        await tokens.issue({ viewer: '101', app: 'a' }),
      ]
      expect(await getNode(one, { id: '101' })).toMatchObject({ name: 'Ada' })
      await tokens.revoke(one)
      await expect(openGraph().getNode(one, { id: '101' })).rejects.toMatchObject({ subcode: 466 })
      expect(await getNode(other, { id: '101' })).toMatchObject({ name: 'Ada' })
      await openGraph().tokens.revokeAll({ viewer: '101' })
      await expect(getNode(other, { id: '101' })).rejects.toMatchObject({ subcode: 466 })
    })
  })

  it('serves the reads of a call with a token, except the read of the token', async () => {
    await whileBehind(async () => {
      const { tokens, getNode, write } = openGraph()
      await write([{ op: 'patchNode', id: '101', fields: { name: 'Ada L.' } }])
      const token = await tokens.issue({ viewer: '101', app: 'a' })
      expect(await getNode(token, { id: '101' })).toMatchObject({ name: 'Ada' })
    })
  })
})

describe('a Postgres replica that is down', () => {
  it('does not prevent reads, which the primary serves', async () => {
    await write(100)
    await follower.stop()
    expect(await read()).toBe(100)
  })
})
