import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createRedisStore, type RedisClient } from 'kithgraph/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisInspector } from '../../../src/stores/redis/inspect.ts'
import { read, reasonOf } from '../../helpers/conditional-batches.ts'
import { hasRedisServer, type RedisServer, startRedis } from '../../helpers/redis.ts'
import { breakAfter } from '../../helpers/redis-clients.ts'

const schema = defineSchema({
  user: node({
    fields: { name: field.string(), visits: field.int() },
    edges: { likes: edge('user'), friends: edge('user', { symmetric: true }) },
  }),
  team: node({ fields: { name: field.string() } }),
})

const putUser = (id: string) => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const
const rename = (id: string) => ({ op: 'patchNode', id, fields: { name: 'Ada' } }) as const
const remove = (id: string) => ({ op: 'deleteNode', id }) as const
const like = (source: string, target: string) =>
  ({ op: 'putEdge', edge: { source, name: 'likes', target, time: 5 } }) as const
const befriend = (source: string, target: string) =>
  ({ op: 'putEdge', edge: { source, name: 'friends', target, time: 7 } }) as const
const visit = (id: string) => ({ op: 'patchNode', id, increment: { visits: 1 } }) as const

/** Batches that later writes, or their own first parts, make invalid. */
const BATCHES = [
  ['a patched node is deleted later', [rename('1'), putUser('4'), rename('2')], [remove('1')]],
  ['it deletes a node that it has patched', [rename('1'), remove('1'), rename('2')], []],
  ['a target is deleted later', [like('1', '3'), like('2', '1'), befriend('2', '3')], [remove('3')]],
  [
    'a node has another type later',
    [putUser('4'), rename('1')],
    [remove('4'), { op: 'putNode', node: { id: '4', type: 'team', fields: {} } }],
  ],
  [
    'it has an increment, and a friend is deleted later',
    [visit('2'), befriend('2', '1'), befriend('2', '3')],
    [remove('3')],
  ],
  [
    'it deletes its node on a condition, and puts it again with a friend',
    [{ ...remove('2'), when: { exists: true } }, putUser('2'), visit('2'), befriend('2', '1')],
    [remove('2')],
  ],
] as const

describe.skipIf(!hasRedisServer('half-written batches on Redis'))('a half-written batch with an id', () => {
  let server: RedisServer
  let stores = 0

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())

  const open = (prefix: string, client: RedisClient = server.admin) => {
    const store = createRedisStore(client, { prefix })
    return { store, graph: createGraph(store, { schema }) }
  }
  const create = async () => {
    // Recoveries and inspections scan all keys.
    await server.admin.flushall()
    const prefix = `store ${++stores}:`
    const opened = open(prefix)
    await opened.graph.write([putUser('1'), putUser('2'), putUser('3'), like('3', '2'), befriend('1', '3')])
    return { prefix, ...opened }
  }
  /** Opens a graph whose connection breaks after some commands. */
  const openBroken = async (prefix: string, commands: number) => {
    let client: RedisClient = server.admin
    const { graph } = open(prefix, {
      pipeline: lines => client.pipeline(lines),
      call: (command, args) => client.call(command, args),
    })
    // The first use of a graph opens its store.
    await graph.write([putUser('3')])
    client = breakAfter(server.admin, commands)
    return graph
  }
  const inspect = async (prefix: string) => {
    const findings = []
    for await (const page of (await createRedisInspector(server.admin, prefix)).scan())
      findings.push(...page.findings)
    return findings
  }

  it.each(BATCHES)(
    'is completed when it is sent again, or nothing of it was written, although %s',
    async (_, batch, later) => {
      const expectedOf = async (isWritten: boolean) => {
        const { graph, store } = await create()
        if (isWritten) await graph.write(batch)
        if (later.length > 0) await graph.write(later)
        return read(store)
      }
      const [unwritten, written] = [await expectedOf(false), await expectedOf(true)]
      const reasons: unknown[] = []
      for (let cut = 0; ; cut++) {
        const { prefix, graph, store } = await create()
        const broken = await openBroken(prefix, cut)
        const firstReason = await reasonOf(broken.write(batch, { id: 'the id' }))
        if (later.length > 0) await graph.write(later)
        const secondReason = await reasonOf(graph.write(batch, { id: 'the id' }))
        await store.recover()
        const expected = secondReason === undefined ? written : unwritten
        expect(await read(store), `cut behind ${cut} commands: ${secondReason}`).toEqual(expected)
        expect(await inspect(prefix), `cut behind ${cut} commands`).toEqual([])
        if (firstReason === undefined) break
        reasons.push(secondReason)
      }
      expect(reasons.filter(reason => reason === undefined).length, 'completed batches').toBeGreaterThan(1)
    },
  )

  it('keeps its mutations only until it is complete', async () => {
    const { prefix, graph } = await create()
    const [, batch] = BATCHES[0]
    const key = `${prefix}{#the id}`
    let hasKept = false
    for (let cut = 0; !hasKept && cut < 10; cut++) {
      await reasonOf((await openBroken(prefix, cut)).write(batch, { id: 'the id' }))
      hasKept = (await server.admin.hexists(key, 'kept')) === 1
    }
    expect(hasKept).toBe(true)
    await graph.write(batch, { id: 'the id' })
    expect((await server.admin.hkeys(key)).toSorted()).toEqual(['digest', 'written'])
  })
})
