import fc from 'fast-check'
import { createGraph, defineFieldType, defineSchema, field, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ENGINE, type Engine } from '../../src/execute/engine.ts'
import { HostedReads } from '../../src/execute/hosted-reads.ts'
import { jsonText } from '../../src/execute/json-text.ts'
import { callOf, linksIn } from '../helpers/links.ts'
import { printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { manners, type Probe, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { drawing, replaceSeams } from '../helpers/scan-seams.ts'
import { settings } from './settings.ts'

/** Where a graph is served, and what the links of its answers carry. */
type Place = { readonly origin: string; readonly query: string }

const IN_PROCESS: Place = { origin: '', query: '' }
const places = fc.constantFrom(
  IN_PROCESS,
  { origin: 'https://api.test', query: '' },
  { origin: 'http://127.0.0.1:4000/graph', query: 'access_token=a%22%5C%20b&' },
)

const hostedAt = (graph: object, { origin, query }: Place, version: string | undefined): HostedReads =>
  new HostedReads(Reflect.get(graph, ENGINE) as Engine, {
    linkBase: version === undefined ? origin : `${origin}/${version}`,
    linkQuery: query,
    silhouette: undefined,
    deadline: undefined,
    meet: () => undefined,
    charge: () => undefined,
    chargeScan: () => undefined,
    wrote: () => undefined,
  })

/** A relative link as it is answered at a place: the origin in front, the place's parameters first. */
const placed = (link: string, { origin, query }: Place): string => {
  const [path = '', asked = ''] = link.split('?')
  const all = asked === '' ? query.slice(0, -1) : query + asked
  return origin + path + (all === '' ? '' : `?${all}`)
}

/** An answer of this process with its links, of pages and of metadata, as they are answered at a place. */
const placedIn = (value: unknown, place: Place): unknown => {
  if (Array.isArray(value)) return value.map(item => placedIn(item, place))
  if (typeof value !== 'object' || value === null) return value
  const isLink = (name: string) => 'cursors' in value && name !== 'cursors'
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member === 'string' && isLink(name)) return [name, placed(member, place)]
      if (name !== 'connections') return [name, placedIn(member, place)]
      const links = Object.entries(Object(member)).map(([edge, link]) => [edge, placed(`${link}`, place)])
      return [name, Object.fromEntries(links)]
    }),
  )
}

/** The text of what a call answers, or its fault. */
const outcomeOf = async (call: () => unknown, textOf: (answer: unknown) => unknown) => {
  try {
    return textOf(await call())
  } catch (error) {
    if (!isGraphError(error)) throw error
    return { ...error.toJSON().error, fbtrace_id: '' }
  }
}

type Opened = Pick<Awaited<ReturnType<typeof openWorld>>, 'graph' | 'session'>

/** Answers in the order of their ids are as good as those in any other. */
const reordered = (text: unknown): unknown => JSON.stringify(JSON.parse(`${text}`))
const asIs = (text: unknown): unknown => text

/** Asks in this process and through a host, and holds the one to the other; tells the answer's links. */
const compare = async ({ graph, session }: Opened, { question, manner }: Probe, place: Place) => {
  const { method, fields: items, version, style } = question
  const { debug, partial, metadata } = manner
  const fields = items.length === 0 ? undefined : printItems(items, style)
  const call = { fields, version, debug, partial, metadata }
  const hosted = hostedAt(graph, place, version)
  const links: string[] = []
  const hold = async (here: () => unknown, there: () => unknown, form = asIs) => {
    const expected = await outcomeOf(here, answer => {
      links.push(...linksIn(answer))
      return JSON.stringify(placedIn(answer, place))
    })
    expect(await outcomeOf(there, form)).toEqual(expected)
  }
  switch (method) {
    case 'getMe':
      await hold(
        () => graph.getMe(session, call),
        () => hosted.node(session, { id: 'me', ...call }),
      )
      break
    case 'getNode': {
      const { id, type } = question
      await hold(
        () => graph.getNode(session, { id, type, ...call }),
        () => hosted.node(session, { id, type, ...call }),
      )
      break
    }
    case 'getNodes': {
      const { ids } = question
      await hold(
        () => graph.getNodes(session, { ids, ...call }),
        () => hosted.nodes(session, { ids, ...call }),
        reordered,
      )
      break
    }
    case 'getEdge': {
      const { method: _, id, style: _style, fields: _fields, ...list } = question
      const asked = { ...list, ...call, summary: manner.summary || list.summary }
      await hold(
        () => graph.getEdge(session, { id, ...asked }),
        () => hosted.edge(session, { id, ...asked }),
      )
      await hold(
        () => graph.getEdges(session, { ids: [id, 'me'], ...asked }),
        () => hosted.edges(session, { ids: [id, 'me'], ...asked }),
        reordered,
      )
    }
  }
  for (const link of links.slice(0, 3)) {
    const next = callOf(link)
    await hold(
      () => graph.getEdge(session, next),
      () => hostedAt(graph, place, Object(next).version).edge(session, next),
    )
  }
}

const cases = fc.record({
  inquiry: inquiries({ policed: true, faults: true, most: 4 }),
  manners: fc.array(manners, { minLength: 4, maxLength: 4 }),
  place: places,
  limits: fc.constantFrom({}, { scan: 1 }, { scan: 3 }),
  isScoped: fc.boolean(),
})

describe('an answer as text', () => {
  it('is what JSON.stringify makes of the one in this process, its links those of the host', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ inquiry: { world, asked }, manners, place, limits, isScoped }) => {
        const { appIds, ...sealed } = scopedOptions()
        const options = { ...sealed, limits, app: 'tests', ...(isScoped && { appIds }) }
        const opened = await openWorld(world, options)
        replaceSeams(opened.graph, { drawUniform: drawing(0.5) })
        const ids = appIds.forApp('tests')
        const name = isScoped ? nameIn([world], id => ids.toPublic(id)) : (id: string) => id
        for (const [index, question] of asked.entries()) {
          const manner = manners[index]
          if (manner !== undefined)
            await compare(opened, { question: withIds(question, name), manner }, place)
        }
      }),
      settings(300),
    )
  })

  it('is so of values of every type, and of whatever a type of the schema answers', async () => {
    const answers = new Map<string, unknown>()
    const any = defineFieldType({
      name: 'any',
      expected: 'a name',
      parse: (value: string) => value,
      serialize: stored => answers.get(stored),
    })
    const schema = defineSchema({
      user: node({
        fields: {
          name: field.string(),
          odd: field.of(any),
          born: field.birthday(),
          age: field.ageRange({ from: 'born' }),
          picture: field.picture(),
          counts: field.map(field.float()),
          sizes: field.list(field.object({ unit: field.string(), width: field.int() })),
        },
        edges: {},
      }),
    })
    const fields = 'odd,name,born,age,picture,counts,sizes,odd.as(last)'
    await fc.assert(
      fc.asyncProperty(values, text, fc.dictionary(text, fc.double()), async (value, name, counts) => {
        answers.set('it', value)
        const stored = { name, odd: 'it', born: '1990-05-01', counts, sizes: [{ unit: name, width: -0 }, {}] }
        const store = createMemoryStore()
        const record = { id: '1', type: 'user', fields: JSON.parse(JSON.stringify(stored)) }
        await store.write([{ op: 'putNode', node: record }], { signal: undefined })
        const graph = createGraph(store, { schema, now: () => 1_400_000_000_000 })
        const session = graph.session({ viewer: '1', app: 'tests', scopes: [] })
        const here = JSON.stringify(await graph.getMe(session, { fields }))
        expect(await hostedAt(graph, IN_PROCESS, undefined).node(session, { id: 'me', fields })).toBe(here)
      }),
      settings(200),
    )
  })
})

/** Text of any code units: control characters, quotes, halves of surrogate pairs. */
const text = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 31, 32, 34, 92, 127, 0xd7ff, 0xd800, 0xdfff, 0x2028)))
  .map(codes => String.fromCharCode(...codes))

const values: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(undefined, null, true, false, -0, Number.NaN, Number.POSITIVE_INFINITY, Symbol('none')),
  fc.date({ noInvalidDate: false }),
  fc.constantFrom({ toJSON: () => 'text' }, { toJSON: () => undefined }, () => 1, [undefined, () => 1]),
  fc.dictionary(text, fc.oneof(text, fc.double(), fc.constant(undefined))),
)

describe('the text of a value', () => {
  it('is what JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(values, value => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
      }),
      settings(5000),
    )
  })
})
