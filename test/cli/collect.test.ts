import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PROJECT } from '../helpers/run-cli.ts'
import { type CheckedEngine, type CheckedStore, SCHEMA_FILE, startSqliteEngine } from './checked-stores.ts'
import {
  CHECK,
  COLLECT,
  createEventGraph,
  createOldGraph,
  EVENTS_SCHEMA,
  readEntries,
  writeOldEvents,
} from './collected-events.ts'

const COMPLETE =
  'complete: the collection events, the collection everyone, the order top of comments, the order latest of attends'

describe('collect', () => {
  let engine: CheckedEngine
  beforeAll(async () => {
    engine = await startSqliteEngine()
  })
  afterAll(() => engine.stop())

  const withEvents = async (count: number, body: (store: CheckedStore) => Promise<void>): Promise<void> => {
    const store = await engine.create()
    try {
      await writeOldEvents(store, count)
      await body(store)
    } finally {
      await store.close()
    }
  }

  /** Reads a page of each kind of list. */
  const readPages = async (store: CheckedStore): Promise<readonly (readonly string[])[]> => {
    const graph = createEventGraph(store.createStore())
    const session = graph.session({ viewer: '2001', app: 'tests' })
    const pages = [
      await graph.getEdge(session, { id: 'root', edge: 'events', limit: 3 }),
      await graph.getEdge(session, { id: 'root', edge: 'everyone', limit: 3, order: 'chronological' }),
      await graph.getEdge(session, { id: '2', edge: 'comments', order: 'top' }),
      await graph.getEdge(session, { id: '2002', edge: 'attends', order: 'latest' }),
    ]
    return pages.map(({ data }) => data.map(({ id }) => `${id}`))
  }

  it('makes the lists of old data readable, whose reads fail before with the name of the command', () =>
    withEvents(5, async store => {
      await expect(readPages(store)).rejects.toMatchObject({
        reason: 'store_error',
        message:
          '(#2) The store does not contain the collection events completely; to build it, run npx kithgraph collect URL --schema FILE',
      })
      expect(await store.run(COLLECT)).toEqual({
        status: 0,
        lines: ['collected 15 nodes and 15 edges: 25 entries', COMPLETE],
        errors: [],
      })
      expect(await readPages(store)).toEqual([['5', '1', '2'], ['1', '2', '3'], ['1002'], ['2']])
    }))

  it('can be repeated, and then changes nothing', () =>
    withEvents(5, async store => {
      const first = await store.run(COLLECT)
      const before = await readEntries(store)
      expect(await store.run(COLLECT)).toEqual(first)
      expect(await readEntries(store)).toEqual(before)
    }))

  it('sets the flags of an empty store', () =>
    withEvents(0, async store => {
      const graph = createEventGraph(store.createStore())
      await graph.getMe(graph.session({ viewer: '1', app: 'tests' })).catch(() => undefined)
      expect(await store.run(COLLECT)).toEqual({
        status: 0,
        lines: ['collected 0 nodes and 0 edges: 0 entries', COMPLETE],
        errors: [],
      })
    }))

  it('names records without a valid value, which are in no list, with the status 1', () =>
    withEvents(6, async store => {
      await store.execute(`
        update nodes set fields = '{}' where id <= 4;
        update nodes set fields = '{"start_time":0.5}' where id = 5;
        update nodes set fields = '5' where id = 6;
        update edges set data = '{"score":9e15}' where source = 1 and data like '%score%';
        update edges set data = '5' where source = 2002`)
      expect(await store.run(COLLECT)).toEqual({
        status: 1,
        lines: [
          'not in any list: 1 damaged node, such as 6',
          'not in the collection events: 5 nodes without a valid value of "start_time", such as 1, 2, 3',
          'not in any list: 1 damaged edge, such as 2002 "attends" 2',
          'not in the order top of comments: 1 edge without a valid value of "score", such as 1 "comments" 1001',
          expect.stringMatching(/^collected 17 nodes and 17 edges: \d+ entries$/),
          COMPLETE,
        ],
        errors: [],
      })
    }))

  it('removes entries that writers with the old schema have left', () =>
    withEvents(5, async store => {
      await store.run(COLLECT)
      const oldGraph = createOldGraph(store.createStore())
      const start_time = '2027-01-01'
      await oldGraph.write([
        { op: 'deleteEdge', edge: { source: '2', name: 'comments', target: '1002' } },
        { op: 'patchNode', id: '3', fields: { start_time } },
        { op: 'deleteNode', id: '4' },
        { op: 'putNode', node: { id: '6', type: 'event', fields: { start_time } } },
      ])
      const damaged = await readEntries(store)
      expect(damaged.stored).not.toEqual(damaged.expected)
      expect(await store.run(COLLECT)).toMatchObject({ status: 0 })
      const { stored, expected } = await readEntries(store)
      expect(stored).toEqual(expected)
    }))

  it.each([0, 5, 30, 100])(
    'leaves lists unreadable if it is interrupted after %i ms, and completes them when it is repeated',
    ms =>
      withEvents(200, async store => {
        const interruption = new AbortController()
        setTimeout(() => interruption.abort(), ms)
        const { status, errors } = await store.run(COLLECT, { signal: interruption.signal })
        // A fast run may end before it is interrupted, but not before its first step.
        if (ms === 0 || status !== 0) {
          expect({ status, errors }).toEqual({ status: 130, errors: ['kithgraph: interrupted'] })
          await expect(readPages(store)).rejects.toMatchObject({ reason: 'store_error' })
          expect(await store.run(COLLECT)).toMatchObject({ status: 0 })
        }
        const { stored, expected } = await readEntries(store)
        expect(stored).toEqual(expected)
      }),
  )

  it('completes the lists after a process was killed', () =>
    withEvents(200, async store => {
      const args = ['--import', 'tsx', join(PROJECT, 'src/cli/main.ts'), ...COLLECT]
      const env = { ...process.env, KITHGRAPH_URL: store.url }
      const child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: 'ignore' })
      const ended = new Promise<unknown>(resolve => child.once('close', (_, signal) => resolve(signal)))
      const hasEntries = async () => (await store.run(['check', 'store'])).lines.at(-1)?.includes('entries')
      await expect.poll(hasEntries, { interval: 5 }).toBe(true)
      child.kill('SIGKILL')
      expect(await ended).toBe('SIGKILL')
      await expect(readPages(store)).rejects.toMatchObject({ reason: 'store_error' })
      expect(await store.run(COLLECT)).toMatchObject({ status: 0 })
      const { stored, expected } = await readEntries(store)
      expect(stored).toEqual(expected)
      expect(await store.run(CHECK)).toMatchObject({ status: 0 })
    }))

  it('prints its progress every ten seconds', () =>
    withEvents(5, async store => {
      let now = Date.now()
      const spy = vi.spyOn(Date, 'now').mockImplementation(() => {
        now += 4000
        return now
      })
      try {
        const { lines } = await store.run(COLLECT)
        expect(lines[0]).toMatch(/^so far 15 nodes and \d+ edges: \d+ entries$/)
      } finally {
        spy.mockRestore()
      }
    }))

  it('does nothing for a schema without collections and orders', () =>
    withEvents(1, async store => {
      expect(await store.run(['collect', '--schema', SCHEMA_FILE])).toEqual({
        status: 0,
        lines: ['the schema declares no collection and no order by a field, so there is nothing to build'],
        errors: [],
      })
    }))

  it('fails with the status 2 for a schema that does not exist', () =>
    withEvents(1, async store => {
      const { status, errors } = await store.run(['collect', ...EVENTS_SCHEMA.slice(0, 1), 'missing.ts'])
      expect({ status, errors }).toEqual({
        status: 2,
        errors: ['kithgraph: the schema file missing.ts does not exist'],
      })
    }))
})
