/**
 * Changes random events of a store from the message `{ url, name }` until the message `stop`. Sends `started` after
 * its first write, and the number of writes when it has stopped. It can be started again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createGraph, isGraphError } from 'kithgraph'
import { openStore } from '../../examples/shared/open-store.ts'
import { SECRET, schema } from '../cli/events-schema.ts'

/** Many events, so that few of them are written again after an error of `collect`, which would hide it. */
const EVENTS = 900
const PAUSE_MS = 2

const randomUpTo = (count: number): number => 1 + Math.floor(Math.random() * count)
const randomTime = (): string => new Date(Date.UTC(2026, 0, randomUpTo(300))).toISOString()

let isStopped = false

type EventGraph = ReturnType<typeof createGraph<typeof schema>>

const writeOnce = async (graph: EventGraph): Promise<void> => {
  const event = `${randomUpTo(EVENTS)}`
  const comment = `${1000 + randomUpTo(EVENTS)}`
  const person = `${2000 + randomUpTo(EVENTS)}`
  const put = {
    op: 'putNode',
    node: { id: event, type: 'event', fields: { start_time: randomTime() } },
  } as const
  const comments = { source: event, name: 'comments', target: comment } as const
  const attends = { source: person, name: 'attends', target: event } as const
  const kind = Math.random()
  if (kind < 0.25) await graph.write([{ op: 'patchNode', id: event, fields: { start_time: randomTime() } }])
  else if (kind < 0.4) await graph.write([{ op: 'deleteNode', id: event }])
  else if (kind < 0.65) await graph.write([put])
  else if (kind < 0.8)
    await graph.write([{ op: 'putEdge', edge: { ...comments, data: { score: randomUpTo(9) } } }])
  else if (kind < 0.85) await graph.write([{ op: 'deleteEdge', edge: comments }])
  else if (kind < 0.9) await graph.write([{ op: 'deleteNode', id: event }, put])
  else if (kind < 0.97)
    await graph.write([{ op: 'putEdge', edge: { ...attends, data: { joined: randomUpTo(99) } } }])
  else await graph.write([{ op: 'deleteEdge', edge: attends }])
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'

/** Whether a write failed because of the other writers: a node is missing, or the database is locked. */
const isExpected = (error: unknown): boolean =>
  isGraphError(error) && (['invalid_mutation', 'conflict'].includes(error.reason) || isLocked(error.cause))

const run = async (url: string, name: string): Promise<number> => {
  const store = await openStore(url, name)
  const graph = createGraph(store, { schema, secret: SECRET })
  let writes = 0
  while (!isStopped) {
    try {
      await writeOnce(graph)
      if (++writes === 1) process.send?.('started')
    } catch (error) {
      if (!isExpected(error)) throw error
    }
    // SQLite gives waiting writers no turn, so writers without a pause could lock each other out.
    await sleep(PAUSE_MS)
  }
  await graph.close()
  return writes
}

process.on('message', (message: { url: string; name: string } | 'stop') => {
  isStopped = message === 'stop'
  if (message !== 'stop')
    run(message.url, message.name).then(
      writes => process.send?.({ writes }),
      error => process.send?.({ error: `${error}: ${error.cause}` }),
    )
})
process.send?.('ready')
