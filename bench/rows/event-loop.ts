import Database from 'better-sqlite3'
import { createGraph, type Graph } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { createSqliteStore } from 'kithgraph/sqlite'
import type { Store } from '../../src/store/contract.ts'
import { fillStore } from '../contenders/graph.ts'
import { crowdSchema, generateCrowd, READER } from '../data/crowd.ts'
import type { Finding } from '../measure/finding.ts'
import { measureHolds } from '../measure/longest-hold.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Shutdown } from '../servers/shutdown.ts'
import type { Row } from './row.ts'

const COST = 25_000
const ITEMS = 190

type Crowd = Graph<typeof crowdSchema>

/** Returns the largest size at which an expression is still valid. */
const findLargestExpression = (
  { explain }: Crowd,
  most: number,
  expressionOf: (size: number) => string,
): string => {
  const fits = (size: number): boolean => {
    try {
      return explain(Object({ type: 'person', fields: expressionOf(size) })).cost <= COST
    } catch {
      return false
    }
  }
  let size = most
  while (size > 1 && !fits(size)) size = Math.floor(size * 0.97)
  return expressionOf(size)
}

const aliases = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(',')

/** Creates the most expensive expression of each kind that the limits allow. */
const createExpressions = (graph: Crowd): Readonly<Record<string, string>> => ({
  'lists with many aliases': findLargestExpression(
    graph,
    ITEMS,
    size => `photos.limit(100){${aliases(size, index => `likes.as(l${index}).limit(1){id}`)}}`,
  ),
  'nodes with many values': findLargestExpression(
    graph,
    100,
    size => `photos.limit(100){likes.limit(${size}){${aliases(ITEMS, index => `name.as(n${index})`)}}}`,
  ),
  'dates with many aliases': findLargestExpression(
    graph,
    100,
    size => `photos.limit(${size}){${aliases(ITEMS, index => `created_time.as(t${index})`)}}`,
  ),
  'ids that are new to the app': findLargestExpression(
    graph,
    100,
    size => `photos.limit(100){likes.limit(${size}){id}}`,
  ),
  'lists of values': findLargestExpression(
    graph,
    ITEMS,
    size => `photos.limit(100){${aliases(size, index => `images.as(i${index})`)}}`,
  ),
  'members of lists of values': findLargestExpression(
    graph,
    48,
    size => `photos.limit(100){${aliases(size, index => `images.as(i${index}){source,width,height}`)}}`,
  ),
  'descriptions of nodes': findLargestExpression(
    graph,
    40,
    size => `photos.limit(100){${aliases(size, index => `metadata.as(m${index}){fields{name}}`)}}`,
  ),
  'refs with many aliases': findLargestExpression(
    graph,
    ITEMS,
    size => `photos.limit(100){${aliases(size, index => `from.as(f${index}){name}`)}}`,
  ),
  'lists under a policy': findLargestExpression(
    graph,
    16,
    size => `photos.limit(100){${aliases(size, index => `notes.as(o${index}).limit(1){id}`)}}`,
  ),
  'nodes under a policy': findLargestExpression(
    graph,
    100,
    size => `photos.limit(100){notes.limit(${size}){text,author}}`,
  ),
  'counts under a policy': findLargestExpression(
    graph,
    100,
    size => `photos.limit(${size}){notes.limit(1).summary(true){id}}`,
  ),
  'a list without visible entries': 'secrets.limit(100){id}',
})

const measureStore = async (name: string, store: Store): Promise<Finding[]> => {
  await store.open()
  await fillStore(store, generateCrowd())
  let secrets = 0
  // Each graph has a different `appIds` secret, so no app-scoped id is cached before the first call.
  const open = (): Crowd => {
    const appIds = createAppIds({ secrets: { 1: `a secret for the ids of apps ${secrets++}` }, current: 1 })
    return createGraph(store, { schema: crowdSchema, appIds, secret: 'a secret for the bench' })
  }
  const session = (graph: Crowd) => graph.session({ viewer: READER, app: 'bench', scopes: [] })
  const all = createExpressions(open())
  const findings: Finding[] = []
  const add = async (label: string, work: () => unknown): Promise<void> => {
    const durations = await measureHolds(work)
    findings.push({ label: `${name}, ${label}`, figure: spreadOf(durations), unit: 'ms', bar: { max: 50 } })
  }
  for (const [label, fields] of Object.entries(all)) {
    const graph = open()
    await add(label, () => {
      const fresh = label.includes('new') ? open() : graph
      return fresh.getMe(session(fresh), Object({ fields }))
    })
  }
  const graph = open()
  const token = await graph.tokens.issue({ viewer: READER, app: 'bench', scopes: [] })
  const handler = createHandler(graph)
  const result = async (url: string, body?: string): Promise<void> => {
    const method = body === undefined ? 'GET' : 'POST'
    await handler.respond({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      body,
      signal: undefined,
    })
  }
  const urlOf = (fields: string): string => `/me?fields=${encodeURIComponent(fields)}`
  for (const [label, fields] of Object.entries(all))
    await add(`${label}, over HTTP`, () => result(urlOf(fields)))
  const items = Object.values(all).map(fields => ({ method: 'GET', relative_url: urlOf(fields).slice(1) }))
  const batch = JSON.stringify([...items, ...items].slice(0, 12))
  await add('a batch of twelve', () => result('/', new URLSearchParams({ batch }).toString()))
  return findings
}

export const createEventLoopRow = (shutdown: Shutdown): Row => ({
  name: 'event-loop',
  title: 'the longest time that an expensive valid request blocks the event loop, with 100,000 nodes',
  async measure() {
    const database = new Database(':memory:')
    shutdown.add(() => database.close())
    return [
      ...(await measureStore('memory', createMemoryStore())),
      ...(await measureStore('SQLite', createSqliteStore(database))),
    ]
  },
})
