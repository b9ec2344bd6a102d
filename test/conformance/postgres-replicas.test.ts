import { createPostgresStore } from 'kithgraph/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import { NOTHING } from '../../src/store/nothing.ts'
import { putNode } from '../../src/testing/records.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

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

const seenByReplica = async (n: number): Promise<void> => {
  await expect.poll(() => read(), { timeout: 10_000 }).toBe(n)
}

const replayState = async (): Promise<unknown> =>
  (await replica.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state

describe('a replica', () => {
  it('answers reads, and the primary those at a version that the replica has not come to', async () => {
    await write(1)
    await seenByReplica(1)
    await replica.query('select pg_wal_replay_pause()')
    // It is asked for, and comes a moment later.
    await expect.poll(replayState).toBe('paused')
    const version = await write(2)
    // Where the replica was slow to connect, the primary answers for a while.
    await expect.poll(() => read(), { timeout: 10_000 }).toBe(1)
    expect(await read(version)).toBe(2)
    await replica.query('select pg_wal_replay_resume()')
    await seenByReplica(2)
    expect(await read(version)).toBe(2)
  })

  it('lets every write be read at its version, however far behind it is', async () => {
    for (let n = 10; n < 60; n++) expect(await read(await write(n))).toBe(n)
  })

  it('refuses a version that no write answered', async () => {
    await expect(read('yesterday')).rejects.toThrow(
      new TypeError('atLeast: expected a version that a write answered, came "yesterday"'),
    )
  })

  it('is done without while it is away', async () => {
    await write(100)
    await follower.stop()
    expect(await read()).toBe(100)
  })
})
