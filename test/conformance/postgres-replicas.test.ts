import { createGraph } from 'kithgraph'
import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const PATIENCE = { timeout: 60_000 }

let primary: PostgresServer
let follower: PostgresServer
let replica: pg.Pool
let store: Store

beforeAll(async () => {
  primary = await startPostgres()
  follower = await primary.follow()
  replica = follower.pool()
  store = createPostgresStore(primary.pool(), { replicas: [replica] })
  await store.open()
})
afterAll(async () => {
  await follower?.stop()
  await primary?.stop()
})

const write = async (n: number): Promise<string | undefined> =>
  (await store.write([putNode('1', { n })], { signal: undefined })).version

const read = async (atLeast?: string): Promise<unknown> => {
  const options = { signal: undefined, deadline: undefined, atLeast }
  return (await store.read({ ...NOTHING, nodes: ['1'] }, options)).nodes[0]?.fields.n
}

/** Asked of the replica itself, since the primary answers for one that is not ready. */
const reaches = async (version: string | undefined): Promise<void> => {
  const { rows } = await replica.query('select pg_last_wal_replay_lsn() >= $1 as reached', [version])
  expect(rows).toEqual([{ reached: true }])
}

const replayState = async (): Promise<unknown> =>
  (await replica.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state

describe('a replica', () => {
  it('answers reads, and the primary those at a version that the replica has not come to', async () => {
    const first = await write(1)
    await vi.waitFor(() => reaches(first), PATIENCE)
    await replica.query('select pg_wal_replay_pause()')
    // It is asked for, and comes a moment later.
    await expect.poll(replayState).toBe('paused')
    const second = await write(2)
    expect(await read()).toBe(1)
    expect(await read(second)).toBe(2)
    await replica.query('select pg_wal_replay_resume()')
    await vi.waitFor(() => reaches(second), PATIENCE)
    expect(await read()).toBe(2)
    expect(await read(second)).toBe(2)
  })

  it('lets every write be read at its version, however far behind it is', async () => {
    for (let n = 10; n < 60; n++) expect(await read(await write(n))).toBe(n)
  })

  it('refuses a version that no write answered', async () => {
    await expect(read('yesterday')).rejects.toThrow(
      new TypeError('atLeast: expected a version that a write answered, came "yesterday"'),
    )
  })
})

describe('a replica that is behind', () => {
  /** A graph of a process of its own, over the same servers. */
  const openGraph = () => createGraph(createPostgresStore(primary.pool(), { replicas: [replica] }))

  /** Ada is everywhere; what `body` writes comes to the primary alone. */
  const whileBehind = async (body: () => Promise<void>): Promise<void> => {
    const { version } = await openGraph().write([
      { op: 'putNode', node: { id: '101', type: 'user', fields: { name: 'Ada' } } },
    ])
    await vi.waitFor(() => reaches(version), PATIENCE)
    await replica.query('select pg_wal_replay_pause()')
    await expect.poll(replayState).toBe('paused')
    try {
      await body()
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
  }

  it('decides over no write', async () => {
    const edge = { source: '101', name: 'friends', target: '102' } as const
    const friendsOf = (atLeast: string | undefined) => {
      const graph = openGraph()
      const ada = graph.session({ viewer: '101', app: 'a', scopes: ['user_friends'] })
      return graph.getEdge(ada, { id: '101', edge: 'friends', fields: 'name,about', atLeast })
    }
    await whileBehind(async () => {
      await openGraph().write([
        { op: 'putNode', node: { id: '102', type: 'user', fields: { name: 'Grace' } } },
      ])
      await openGraph().write([{ op: 'patchNode', id: '102', fields: { about: 'Compilers.' } }])
      await openGraph().load([{ edge: { ...edge, time: 0 } }])
      const { version } = await openGraph().write([{ op: 'deleteEdge', edge }])
      expect((await friendsOf(version)).data).toEqual([])
      // It is gone already, which only the version that this answers makes sure of.
      const again = await openGraph().write([{ op: 'deleteEdge', edge }])
      expect((await friendsOf(again.version)).data).toEqual([])
    })
  })

  it('decides over no token: the next read refuses what was revoked, without a version', async () => {
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

  it('answers all else that a call with a token reads', async () => {
    await whileBehind(async () => {
      const { tokens, getNode, write } = openGraph()
      await write([{ op: 'patchNode', id: '101', fields: { name: 'Ada L.' } }])
      const token = await tokens.issue({ viewer: '101', app: 'a' })
      expect(await getNode(token, { id: '101' })).toMatchObject({ name: 'Ada' })
    })
  })
})

describe('a replica that is away', () => {
  it('is done without', async () => {
    await write(100)
    await follower.stop()
    expect(await read()).toBe(100)
  })
})
