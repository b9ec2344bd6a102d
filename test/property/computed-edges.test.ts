import fc, { type Arbitrary } from 'fast-check'
import {
  createGraph,
  defineSchema,
  type EdgeResolver,
  edge,
  field,
  fieldEquals,
  node,
  type ResolvedPage,
  type ResolvedPageRequest,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { digitsOf, idKinds, idOf } from '../helpers/id-kinds.ts'
import { parseLink } from '../helpers/links.ts'
import { propertySettings } from './property-settings.ts'

/** Returns the ids of the owners of the lists, of a node with edges to both, and of the viewer. */
const createShelfIds = (kind: IdKind) => {
  const [first, second, above, viewer] = ['1', '2', '3', '4'].map(digits => idOf(kind, 'shelf', digits))
  return { owners: [first ?? '', second ?? ''], above: above ?? '', viewer: viewer ?? '' }
}

/** The entries of a list. A node is hidden or missing if its id has this remainder. */
const KINDS = ['open', 'stone', 'hidden', 'missing'] as const
const kindOf = (id: string) => KINDS[Number(digitsOf(id)) % KINDS.length]

/** Returns the id of an entry. A missing node would be a thing. */
const entryIdOf = (kind: IdKind, digits: string): string =>
  idOf(kind, kindOf(digits) === 'stone' ? 'stone' : 'thing', digits)

/** A list, and how the function divides it into pages. */
type ListSpec = {
  readonly entries: readonly { readonly id: string; readonly position: string }[]
  /** The maximum numbers of entries of the pages in turn, repeatedly. A page may be empty. */
  readonly sizes: readonly number[]
  /** Whether the function knows that a list ends only if it has no more entries to return. */
  readonly endsLate: boolean
}

const position = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
  fc.constantFrom(' ', 'computed 1 x', '1 2 3', '.', '0'),
)

const lists: Arbitrary<ListSpec> = fc.record({
  entries: fc.uniqueArray(fc.record({ id: fc.integer({ min: 10, max: 60 }).map(String), position }), {
    selector: ({ position }) => position,
    maxLength: 25,
    size: 'max',
  }),
  sizes: fc.array(fc.constantFrom(0, 0, 1, 2, 3, 100), { maxLength: 18 }).map(sizes => [...sizes, 1]),
  endsLate: fc.boolean(),
})

const worlds = fc
  .record({ ids: idKinds, lists: fc.tuple(lists, lists), isAsync: fc.boolean() })
  .map(({ ids, lists, isAsync }) => {
    const withIds = ({ entries, ...list }: ListSpec): ListSpec => ({
      ...list,
      entries: entries.map(({ id, position }) => ({ id: entryIdOf(ids, id), position })),
    })
    return { ids, lists: lists.map(withIds), isAsync, ...createShelfIds(ids) }
  })

type World = typeof worlds extends Arbitrary<infer T> ? T : never

const readPage = (
  { entries, sizes, endsLate }: ListSpec,
  { limit, from, direction }: ResolvedPageRequest,
  turn: number,
): ResolvedPage => {
  const numbered = entries.map((entry, score) => ({ ...entry, data: { score } }))
  const ordered = direction === 'forward' ? numbered : numbered.toReversed()
  const rest = ordered.slice(ordered.findIndex(entry => entry.position === from) + 1)
  const page = rest.slice(0, Math.min(limit, sizes[turn % sizes.length] ?? 1))
  const isAtEnd = page.length === rest.length
  return { entries: page, hasMore: !isAtEnd || (endsLate && page.length > 0) }
}

/** Creates a function that returns the lists. */
const createResolver = ({
  lists,
  isAsync,
  owners,
}: World): EdgeResolver<{ readonly [name: string]: unknown }> => {
  // Each list has turns of its own, so that it returns an entry in one of its turns.
  const turns = owners.map(() => 0)
  return (sources, { pages }) => {
    const results = pages.map((page, index) => {
      const owner = owners.indexOf(sources[index]?.id ?? '')
      const [list, turn = 0] = [lists[owner], turns[owner]]
      turns[owner] = turn + 1
      return list === undefined ? { entries: [], hasMore: false } : readPage(list, page, turn)
    })
    return isAsync ? Promise.resolve(results) : results
  }
}

/** Returns the visible entries of a list as text. */
const readWhole = ({ entries }: ListSpec): readonly string[] =>
  entries.flatMap(({ id }, score) => (['open', 'stone'].includes(kindOf(id) ?? '') ? [`${id} ${score}`] : []))

type Page = {
  readonly data: readonly { readonly id: string; readonly score?: number }[]
  readonly paging?: {
    readonly cursors: { readonly before?: string; readonly after?: string }
    readonly previous?: string
    readonly next?: string
  }
}

type Boundary = { readonly after?: string | undefined; readonly before?: string | undefined }

const printEntries = ({ data }: Page): readonly string[] => data.map(({ id, score }) => `${id} ${score}`)

const open = async (world: World) => {
  const schema: Schema = defineSchema(
    {
      shelf: node({
        edges: {
          kin: edge('shelf'),
          ranked: edge(['thing', 'stone'], {
            fields: { score: field.int() },
            backward: true,
            resolve: createResolver(world),
          }),
        },
      }),
      thing: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
      stone: node({}),
    },
    { viewers: ['shelf'], ids: world.ids },
  )
  const graph = createGraph(createMemoryStore(), { schema })
  const ids = Array.from({ length: 51 }, (_, index) => entryIdOf(world.ids, `${index + 10}`)).filter(
    id => kindOf(id) !== 'missing',
  )
  await graph.write([
    ...[...world.owners, world.above, world.viewer].map(
      id => ({ op: 'putNode', node: { id, type: 'shelf', fields: {} } }) as const,
    ),
    ...ids.map(id =>
      kindOf(id) === 'stone'
        ? ({ op: 'putNode', node: { id, type: 'stone', fields: {} } } as const)
        : ({ op: 'putNode', node: { id, type: 'thing', fields: { open: kindOf(id) === 'open' } } } as const),
    ),
    ...world.owners.map(
      target => ({ op: 'putEdge', edge: { source: world.above, name: 'kin', target, time: 0 } }) as const,
    ),
  ])
  const session = graph.session({ viewer: world.viewer, app: 'tests' })
  const call = (id: string, limit: number, where: Boundary): Promise<Page> =>
    graph.getEdge(session, { id, type: 'shelf', edge: 'ranked', limit, ...where, fields: 'score' })
  const below = async (id: string, limit: number, { after, before }: Boundary): Promise<Page> => {
    const cursor =
      after === undefined ? (before === undefined ? '' : `.before(${before})`) : `.after(${after})`
    const fields = `ranked.limit(${limit})${cursor}{score}`
    return Object(await graph.getNode(session, { id, type: 'shelf', fields })).ranked
  }
  const link = async (id: string, limit: number, where: Boundary, from: Page | undefined): Promise<Page> => {
    const next = where.after === undefined ? from?.paging?.previous : from?.paging?.next
    return next === undefined ? call(id, limit, where) : Object(await graph.getEdge(session, parseLink(next)))
  }
  /** Reads the first pages of both lists together. */
  const belowSeveral = async (limit: number): Promise<readonly Page[]> => {
    const fields = `kin.order(chronological){ranked.limit(${limit}){score}}`
    const { kin } = Object(await graph.getNode(session, { id: world.above, fields }))
    return kin.data.map(({ ranked }: { readonly ranked: Page }) => ranked)
  }
  const iterate = async (id: string): Promise<readonly string[]> => {
    const entries: Page['data'][number][] = []
    for await (const entry of graph.iterateEdge(session, {
      id,
      type: 'shelf',
      edge: 'ranked',
      fields: 'score',
    }))
      entries.push(Object(entry))
    return printEntries({ data: entries })
  }
  return { ways: { call, below, link }, belowSeveral, iterate }
}

type OpenedWorld = Awaited<ReturnType<typeof open>>

const ways = fc.constantFrom<keyof OpenedWorld['ways']>('call', 'below', 'link')

/** Reads all pages of a list: forwards from its beginning, or backwards from a cursor. */
const readPages = async (
  { ways }: OpenedWorld,
  way: keyof OpenedWorld['ways'],
  id: string,
  limit: number,
  start: Boundary = {},
): Promise<readonly Page[]> => {
  const isForward = start.before === undefined
  const pages: Page[] = []
  for (let where: Boundary | undefined = start; where !== undefined; ) {
    const page: Page = await ways[way](id, limit, where, pages.at(-1))
    pages.push(page)
    const { next, previous, cursors } = page.paging ?? {}
    if ((isForward ? next : previous) === undefined) where = undefined
    else where = isForward ? { after: cursors?.after } : { before: cursors?.before }
  }
  return pages
}

const expectFullPages = (pages: readonly Page[], limit: number): void => {
  expect(pages.slice(0, -1).every(({ data }) => data.length === limit)).toBe(true)
  expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
}

describe('the pages of a computed edge', () => {
  it('together contain the visible entries in the order of the function, however it divides its list', async () => {
    let entryCount = 0
    await fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 7 }), ways, async (world, limit, way) => {
        const opened = await open(world)
        for (const [index, list] of world.lists.entries()) {
          const id = world.owners[index] ?? ''
          const expected = readWhole(list)
          const pages = await readPages(opened, way, id, limit)
          expect(pages.flatMap(printEntries)).toEqual(expected)
          expectFullPages(pages, limit)
          expect(await opened.iterate(id)).toEqual(expected)
          entryCount += expected.length
        }
        const firstPages = (await opened.belowSeveral(limit)).map(printEntries)
        expect(firstPages).toEqual(world.lists.map(list => readWhole(list).slice(0, limit)))
      }),
      propertySettings(40),
    )
    expect(entryCount).toBeGreaterThan(100)
  })

  it('together contain the visible entries if they are read backwards', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.integer({ min: 1, max: 7 }), ways, async (world, limit, way) => {
        const opened = await open(world)
        for (const [index, list] of world.lists.entries()) {
          const id = world.owners[index] ?? ''
          const before = (await opened.ways.call(id, 100, {})).paging?.cursors.after
          if (before === undefined) continue
          const pages = await readPages(opened, way, id, limit, { before })
          expect(pages.toReversed().flatMap(printEntries)).toEqual(readWhole(list).slice(0, -1))
          expectFullPages(pages, limit)
        }
      }),
      propertySettings(40),
    )
  })
})
