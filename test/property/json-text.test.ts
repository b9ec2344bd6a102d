import fc from 'fast-check'
import { createGraph, defineFieldType, defineSchema, field, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ENGINE, type Engine } from '../../src/execute/engine.ts'
import { JsonReadApi } from '../../src/execute/read-api.ts'
import { toJsonText } from '../../src/format/json-formatter.ts'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { findLinks, parseLink } from '../helpers/links.ts'
import { parametersOf, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { callVariants, type Probe, withIds } from '../helpers/probes.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { drawInTurn, overrideScan } from '../helpers/scan-overrides.ts'
import { propertySettings } from './property-settings.ts'

/** The origin of the links in a response, and the parameters that all of them have. */
type LinkBase = { readonly origin: string; readonly query: string }

const IN_PROCESS: LinkBase = { origin: '', query: '' }
const linkBases = fc.constantFrom(
  IN_PROCESS,
  { origin: 'https://api.test', query: '' },
  { origin: 'http://127.0.0.1:4000/graph', query: 'access_token=a%22%5C%20b&' },
)

const createHostedReads = (
  graph: object,
  { origin, query }: LinkBase,
  version: string | undefined,
): JsonReadApi =>
  new JsonReadApi(Reflect.get(graph, ENGINE) as Engine, {
    linkBase: version === undefined ? origin : `${origin}/${version}`,
    linkQuery: query,
    defaultPicture: undefined,
    deadline: undefined,
    onSession: () => undefined,
    charge: () => undefined,
    chargeScanExcess: () => undefined,
    onLength: () => undefined,
  })

/**
 * Returns a link as a host writes it: with the host's origin, and with the host's parameters before the
 * others.
 */
const moveLink = (link: string, { origin, query }: LinkBase): string => {
  const [path = '', ownQuery = ''] = link.split('?')
  const all = ownQuery === '' ? query.slice(0, -1) : query + ownQuery
  return origin + path + (all === '' ? '' : `?${all}`)
}

/** Returns an in-process result with the links of a host, in pages and in metadata. */
const moveLinks = (value: unknown, base: LinkBase): unknown => {
  if (Array.isArray(value)) return value.map(item => moveLinks(item, base))
  if (typeof value !== 'object' || value === null) return value
  const isLink = (name: string) => 'cursors' in value && name !== 'cursors'
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member === 'string' && isLink(name)) return [name, moveLink(member, base)]
      if (name !== 'connections') return [name, moveLinks(member, base)]
      const links = Object.entries(Object(member)).map(([edge, link]) => [edge, moveLink(`${link}`, base)])
      return [name, Object.fromEntries(links)]
    }),
  )
}

/** Returns the text of the result of a call, or its error. */
const captureOutcome = async (call: () => unknown, textOf: (result: unknown) => unknown) => {
  try {
    return textOf(await call())
  } catch (error) {
    if (!isGraphError(error)) throw error
    return { ...error.toJSON().error, fbtrace_id: '' }
  }
}

type OpenedWorld = Pick<Awaited<ReturnType<typeof openWorld>>, 'graph' | 'session'>

/** Parses and prints a text. This sorts ids, because the nodes of a result may be in any order. */
const normalizeOrder = (text: unknown): unknown => JSON.stringify(JSON.parse(`${text}`))
const asIs = (text: unknown): unknown => text

/** Runs a call in-process and through a host, compares the results, and follows some of their links. */
const compare = async ({ graph, session }: OpenedWorld, { callSpec, variant }: Probe, linkBase: LinkBase) => {
  const { method, fields: items, version, style } = callSpec
  const { debug, partial, metadata } = variant
  const fields = items.length === 0 ? undefined : printItems(items, style)
  const call = { fields, version, debug, partial, metadata }
  const hosted = createHostedReads(graph, linkBase, version)
  const links: string[] = []
  const compareResults = async (here: () => unknown, there: () => unknown, form = asIs) => {
    const expected = await captureOutcome(here, result => {
      links.push(...findLinks(result))
      return JSON.stringify(moveLinks(result, linkBase))
    })
    expect(await captureOutcome(there, form)).toEqual(expected)
  }
  switch (method) {
    case 'getMe':
      await compareResults(
        () => graph.getMe(session, call),
        () => hosted.getNode(session, { id: 'me', ...call }),
      )
      break
    case 'getNode': {
      const { id, type } = callSpec
      await compareResults(
        () => graph.getNode(session, { id, type, ...call }),
        () => hosted.getNode(session, { id, type, ...call }),
      )
      break
    }
    case 'getNodes': {
      const { ids } = callSpec
      await compareResults(
        () => graph.getNodes(session, { ids, ...call }),
        () => hosted.getNodes(session, { ids, ...call }),
        normalizeOrder,
      )
      break
    }
    case 'getEdge': {
      const { method: _, id, style: _style, fields: _fields, ...list } = callSpec
      const edgeCall = { ...list, ...call, summary: variant.summary || list.summary }
      const hostedCall = { ...edgeCall, parameters: Object.fromEntries(parametersOf(edgeCall)) }
      await compareResults(
        () => graph.getEdge(session, { id, ...edgeCall }),
        () => hosted.getEdge(session, { id, ...hostedCall }),
      )
      await compareResults(
        () => graph.getEdges(session, { ids: [id, 'me'], ...edgeCall }),
        () => hosted.getEdges(session, { ids: [id, 'me'], ...hostedCall }),
        normalizeOrder,
      )
    }
  }
  for (const link of links.slice(0, 3)) {
    const next = parseLink(link)
    const hostedNext = { ...next, parameters: Object.fromEntries(parametersOf(next)) }
    await compareResults(
      () => graph.getEdge(session, next),
      () => createHostedReads(graph, linkBase, next.version).getEdge(session, hostedNext),
    )
  }
}

const cases = fc.record({
  worldWithCalls: worldsWithCalls({ hasPolicies: true, hasErrors: true, most: 4 }),
  variants: fc.array(callVariants, { minLength: 4, maxLength: 4 }),
  linkBase: linkBases,
  limits: fc.constantFrom({}, { scan: 1 }, { scan: 3 }),
  isScoped: fc.boolean(),
})

describe('the body of a response', () => {
  it('equals JSON.stringify of the in-process result, except for the host of links', async () => {
    await fc.assert(
      fc.asyncProperty(
        cases,
        async ({ worldWithCalls: { world, calls }, variants, linkBase, limits, isScoped }) => {
          const { appIds, ...cursorOptions } = createAppIdOptions()
          const options = { ...cursorOptions, limits, app: 'tests', ...(isScoped && { appIds }) }
          const opened = await openWorld(world, options)
          overrideScan(opened.graph, { drawUniform: drawInTurn(0.5) })
          const ids = appIds.forApp('tests')
          const name = isScoped ? createIdMapper([world], id => ids.toPublic(id)) : (id: string) => id
          for (const [index, callSpec] of calls.entries()) {
            const variant = variants[index]
            if (variant !== undefined)
              await compare(opened, { callSpec: withIds(callSpec, name), variant }, linkBase)
          }
        },
      ),
      propertySettings(150),
    )
  })

  it('equals JSON.stringify of the in-process result for values of every type, including custom types', async () => {
    const results = new Map<string, unknown>()
    const any = defineFieldType({
      name: 'any',
      expected: 'a name',
      parse: (value: string) => value,
      serialize: stored => results.get(stored),
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
        results.set('it', value)
        const stored = { name, odd: 'it', born: '1990-05-01', counts, sizes: [{ unit: name, width: -0 }, {}] }
        const store = createMemoryStore()
        const record = { id: '1', type: 'user', fields: JSON.parse(JSON.stringify(stored)) }
        await store.write([{ op: 'putNode', node: record }], { signal: undefined })
        const graph = createGraph(store, { schema, now: () => 1_400_000_000_000 })
        const session = graph.session({ viewer: '1', app: 'tests', scopes: [] })
        const here = JSON.stringify(await graph.getMe(session, { fields }))
        expect(
          await createHostedReads(graph, IN_PROCESS, undefined).getNode(session, { id: 'me', fields }),
        ).toBe(here)
      }),
      propertySettings(100),
    )
  })
})

/** Text of any code units, including control characters, quotes and lone surrogates. */
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

describe('the JSON text of a value', () => {
  it('equals JSON.stringify', () => {
    fc.assert(
      fc.property(values, value => {
        expect(toJsonText(value)).toBe(JSON.stringify(value))
      }),
      propertySettings(5000),
    )
  })
})
