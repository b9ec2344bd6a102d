import fc from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { ask, askNaive, outcomeOf } from '../helpers/ask.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { type Item, printItems } from '../helpers/naive-graph/query.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { mapValues, SCOPES } from '../helpers/schema-arbitraries.ts'
import { settings } from './settings.ts'

/** A graph that counts what it reads; no count of a call that is refused. */
const openCounted = async (world: World) => {
  const counted: ReturnType<typeof countReads>[] = []
  const opened = await openWorld(world, {
    wrap: store => {
      const wrapped = countReads(store)
      counted.push(wrapped)
      return wrapped
    },
  })
  const readsOf = async (call: () => unknown): Promise<number | undefined> => {
    for (const store of counted) store.clear()
    const outcome = await outcomeOf(call)
    return 'fault' in outcome ? undefined : counted.reduce((sum, { reads }) => sum + reads.length, 0)
  }
  return { ...opened, readsOf }
}

const levelsOf = (world: World, question: Question) => {
  const naive = new NaiveGraph(world)
  askNaive(naive, question)
  return naive.levels
}

/** Once a level, but for one that asks only what a level above has asked: that may be known or asked again. */
const expectReads = (reads: number, { count, fewest }: ReturnType<typeof levelsOf>): void => {
  expect(reads).toBeLessThanOrEqual(count)
  expect(reads).toBeGreaterThanOrEqual(fewest)
}

const idsOf = (question: Question): readonly string[] => {
  if (question.method === 'getMe') return ['me']
  return question.method === 'getNodes' ? question.ids : [question.id]
}

/** What explain is asked for a question; undefined where its root is not there. */
const explained = ({ nodes, viewer }: World, question: Question) => {
  const [asked] = idsOf(question)
  const type = nodes.find(({ id }) => id === (asked === 'me' ? viewer : asked))?.type
  const edge = question.method === 'getEdge' ? question.edge : undefined
  const { version, fields } = question
  return type === undefined ? undefined : { type, edge, version, fields: printItems(fields) }
}

/** Whether all lists that a question may be about have one order. */
const isOrderKnown = ({ schema }: World, question: Question): boolean => {
  if (question.method !== 'getEdge' || question.order !== undefined) return true
  const orders = Object.values(schema.types).flatMap(({ edges }) => edges[question.edge]?.order ?? [])
  return new Set(orders).size < 2
}

/**
 * A world where all there is to ask has an answer: each ref is set, each edge leads to all it may lead to. Nothing is a
 * default that a second level need not ask again.
 */
const saturated = ({ schema }: World): World => {
  const names = Object.keys(schema.types)
  const idOf = (type: string): string => `${names.indexOf(type) + 1}`
  const types = Object.fromEntries(
    Object.entries(schema.types).map(([name, type]) => {
      const fields = mapValues(type.fields, field => {
        if (field.kind === 'viewerEdge') return { ...field, default: false }
        return field.kind === 'ref' ? { ...field, targets: field.targets.slice(0, 1) } : field
      })
      const edges = mapValues(type.edges, edge => ({
        ...edge,
        defaults: edge.defaults?.filter(name => name !== 'liked'),
      }))
      return [name, { ...type, edges, fields }]
    }),
  )
  const nodes = Object.entries(types).map(([type, { fields }]) => {
    const refs = Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'ref' ? [[name, idOf(field.targets[0] ?? type)] as const] : [],
    )
    return { id: idOf(type), type, fields: Object.fromEntries(refs) }
  })
  const edges = Object.entries(types).flatMap(([type, { edges }]) =>
    Object.entries(edges).flatMap(([name, { targets }]) =>
      targets.map(target => ({ source: idOf(type), name, target: idOf(target), time: 0 })),
    ),
  )
  return {
    schema: { ...schema, types },
    nodes,
    edges,
    viewer: idOf(schema.viewers[0] ?? ''),
    scopes: SCOPES,
  }
}

/** The items with whole lists, and none below the first level that another level might have asked before. */
const wholeLists = (items: readonly Item[]): readonly Item[] =>
  items.map(({ since: _since, until: _until, limit: _limit, fields = [], ...item }) => {
    const below = wholeLists(fields.filter(({ name }) => name !== 'liked'))
    return { ...item, fields: below.length === 0 ? undefined : below }
  })

describe('the law of waves', () => {
  it('a query reads its store once for each level that has something to ask, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const { graph, session, readsOf } = await openCounted(world)
        for (const question of asked) {
          const reads = await readsOf(() => ask(graph, session, question))
          if (reads !== undefined) expectReads(reads, levelsOf(world, question))
        }
      }),
      settings(200),
    )
  })

  it('a token is read with the first wave, and in one of its own only where the root is me', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const { graph, readsOf } = await openCounted(world)
        const { viewer, scopes } = world
        const type = world.nodes.find(({ id }) => id === viewer)?.type
        if (type === undefined || !world.schema.viewers.includes(type)) return
        const token = await graph.tokens.issue({ viewer, app: 'tests', scopes })
        for (const question of asked) {
          const reads = await readsOf(() => ask(graph, token, question))
          const own = idsOf(question).includes('me') ? 1 : 0
          if (reads !== undefined) expectReads(reads - own, levelsOf(world, question))
        }
      }),
      settings(100),
    )
  })

  it('explain never foretells too few waves', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world, asked }) => {
        const { graph, session, readsOf } = await openCounted(world)
        for (const question of asked) {
          const call = explained(world, question)
          const reads = await readsOf(() => ask(graph, session, question))
          if (call === undefined || reads === undefined || question.method === 'getNodes') continue
          // Of `me` names may be asked that other viewers' types have.
          const outcome = await outcomeOf(() => graph.explain(call))
          if ('fault' in outcome) continue
          const alone = isOrderKnown(world, question) ? 0 : 1
          expect(reads).toBeLessThanOrEqual(graph.explain(call).waves + alone)
        }
      }),
      settings(100),
    )
  })

  it('explain foretells exactly the waves that there are, where every level has something to ask', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries(), async ({ world: given, asked }) => {
        const world = saturated(given)
        const { graph, session, readsOf } = await openCounted(world)
        for (const { id, type } of world.nodes) {
          for (const { fields: items, version } of asked) {
            const fields = printItems(wholeLists(items))
            const reads = await readsOf(() => graph.getNode(session, { id, type, fields, version }))
            if (reads !== undefined) expect(reads).toBe(graph.explain({ type, fields, version }).waves)
          }
        }
      }),
      settings(100),
    )
  })
})
