import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Graph } from 'kithgraph'
import type { RedisStore } from 'kithgraph/redis'
import { HOST, waitUntil } from '../../../helpers/redis.ts'
import { DOOMED_IDS } from './doomed-batches.ts'
import type { RedisServers } from './redis-servers.ts'
import type { schema } from './schema.ts'

const ROOT = join(import.meta.dirname, '../../../..')
/** Neither a write nor a check completes younger notes, because their writers may still run. */
const NOTE_AGE_MS = 10_200

/** What a completion works with. `isEqual` returns whether both sides of every edge are equal. */
export type CompletionContext = {
  readonly store: RedisStore
  readonly graph: Graph<typeof schema>
  readonly servers: RedisServers
  readonly isEqual: () => Promise<boolean>
}

/** A person with the largest id, so that each edge to it has its first side at the other person. */
export const LAST_PERSON = '9000'

const writeToEverySource = async ({ graph, isEqual }: CompletionContext): Promise<void> => {
  await sleep(NOTE_AGE_MS)
  for (const source of DOOMED_IDS)
    await graph.write([{ op: 'putEdge', edge: { source, name: 'friends', target: LAST_PERSON, time: 0 } }])
  await waitUntil('the next writes complete the notes', isEqual, 10_000).catch(() => undefined)
}

const checkAndRepair = async ({ servers }: CompletionContext): Promise<void> => {
  await sleep(NOTE_AGE_MS)
  const [port = 0] = servers.ports
  const url = `${servers.isCluster ? 'redis+cluster' : 'redis'}://${HOST}:${port}`
  const args = ['--import', 'tsx', 'src/cli/main.ts', 'check', 'store', url, '--repair']
  const schemaArgs = ['--schema', 'test/failures/campaigns/common/schema.ts']
  const child = spawn(process.execPath, [...args, ...schemaArgs], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
}

/** The ways in which both sides of the edges of a killed writer become equal. */
export const COMPLETIONS: ReadonlyMap<string, (context: CompletionContext) => Promise<unknown>> = new Map<
  string,
  (context: CompletionContext) => Promise<unknown>
>([
  ['the next write', writeToEverySource],
  ['recover()', ({ store }) => store.recover()],
  ['check --repair', checkAndRepair],
])
