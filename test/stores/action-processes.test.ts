import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../examples/shared/open-store.ts'
import { addViewer, openCountedFeed, publish, type RunPoint, readFeed } from '../helpers/counted-feed.ts'
import { availableStoreServers, type StoreServer } from '../helpers/store-servers.ts'

const LONG = process.env.KITHGRAPH_LONG !== undefined
const CALLS = 50

/** What a process does: the message that it publishes, how often, and the point at which it dies. */
type Task = { readonly message?: string; readonly calls?: number; readonly death?: RunPoint }

/** Starts a process that is ready to publish with a key. */
const startProcess = async (
  url: string,
  name: string,
  key: string,
  { message = 'Hello', calls = CALLS, death }: Task,
) => {
  const script = new URL('../helpers/publish-process.ts', import.meta.url).pathname
  const optional = death === undefined ? [] : [death]
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    ['--import', 'tsx', script, url, name, key, message, `${calls}`, ...optional],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  /** Makes the calls, and returns the distinct results, or nothing if the process dies. */
  return async (): Promise<readonly string[]> => {
    child.stdin.write('go\n')
    const line: unknown = (await lines.next()).value
    expect(await ended).toEqual(death === undefined ? [0, null] : [null, 'SIGKILL'])
    return typeof line === 'string' ? JSON.parse(line) : []
  }
}

describe.each(availableStoreServers('that actions run in several processes', { every: LONG }))(
  'an action with a key on $name',
  ({ start }) => {
    let served: StoreServer
    beforeAll(async () => {
      served = await start()
    }, 120_000)
    afterAll(() => served?.stop())

    /** A name does not separate the data in a file. */
    const urlOf = (name: string): string => served.url.replace(/graph\.db$/, `${name}.db`)

    const open = async (name: string) => {
      const graph = openCountedFeed(await openStore(urlOf(name), name))
      await addViewer(graph)
      return graph
    }

    const runProcesses = async (name: string, key: string, tasks: readonly Task[]) => {
      const started = await Promise.all(tasks.map(task => startProcess(urlOf(name), name, key, task)))
      return Promise.all(started.map(run => run()))
    }

    it('writes once if two processes call it 50 times each at once, and all calls have the same result', async () => {
      await using graph = await open('processes')
      const results = await runProcesses('processes', 'key', [{}, {}])
      const { feed, posts } = await readFeed(graph)
      expect([feed.length, posts]).toEqual([1, 1])
      expect(results).toEqual([feed, feed])
    }, 120_000)

    it('writes for one of two processes that call it with other parameters, and is key_reused for the other', async () => {
      await using graph = await open('parameters')
      const tasks = [{ message: 'a' }, { message: 'b' }]
      const results = await runProcesses('parameters', 'key', tasks)
      const { feed, posts } = await readFeed(graph)
      expect([feed.length, posts]).toEqual([1, 1])
      expect(results.toSorted()).toEqual([feed, ['action_failed key_reused']].toSorted())
    }, 120_000)

    it.each(['between', 'after'] as const)(
      'is completed once by another process if its process dies %s its writes',
      async death => {
        const name = `death_${death}`
        await using graph = await open(name)
        expect(await runProcesses(name, 'key', [{ calls: 1, death }])).toEqual([[]])
        expect(await readFeed(graph)).toMatchObject({ posts: 1 })
        const [results] = await runProcesses(name, 'key', [{}])
        const { feed, posts } = await readFeed(graph)
        expect([feed.length, posts]).toEqual([1, 1])
        expect(results).toEqual(feed)
        expect(await publish(graph, 'key')).toBe(feed[0])
      },
      120_000,
    )
  },
)
