import fc from 'fast-check'
import type { AppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { digitsOf } from '../helpers/id-kinds.ts'
import { findLinks, parseLink } from '../helpers/links.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import {
  type Caller,
  type CallVariant,
  callVariants,
  type Probe,
  recordTranscript,
  withIds,
} from '../helpers/probes.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

/** Returns the part of an id before its digits. */
const prefixOf = (id: string): string => id.slice(0, id.length - digitsOf(id).length)

/**
 * Returns a long id in place of an id, so that no other number in a result contains it. The order of ids
 * stays the same.
 */
const longId = (id: string): string => {
  const index = IDS.indexOf(digitsOf(id))
  return index < 0 ? id : `${prefixOf(id)}${7_391_000_000_000_000_000n + 1_000_003n * BigInt(index)}`
}

const withLongIds = (world: World): World =>
  JSON.parse(JSON.stringify(world), (_key, value) => (typeof value === 'string' ? longId(value) : value))

/** Worlds with policies and app-scoped types, and probes with raw ids. */
const appScopedCases = fc
  .record({
    worldWithCalls: worldsWithCalls({ hasPolicies: true, most: 4 }),
    variants: fc.array(callVariants, { minLength: 4, maxLength: 4 }),
  })
  .map(({ worldWithCalls: { world, calls }, variants }) => ({
    world: withLongIds(world),
    probes: calls.flatMap((callSpec, index): readonly Probe[] => {
      const variant: CallVariant | undefined = variants[index]
      return variant === undefined ? [] : [{ callSpec: withIds(callSpec, longId), variant }]
    }),
  }))

/** Opens a world for one app. Returns the mappings of ids for the app, and functions that read as the app. */
const openForApp = async (world: World, app: string, appIds: AppIds = createAppIdOptions().appIds) => {
  const options = { ...createAppIdOptions(), appIds, app }
  const { graph, session } = await openWorld(world, options)
  const ids = appIds.forApp(app)
  const name = createIdMapper([world], id => ids.toPublic(id))
  const all = world.nodes.map(({ id }) => name(id))
  const readAs = (probe: Probe, mapId: MapId, others: readonly string[] = all) =>
    recordTranscript(
      { graph, session },
      { ...probe, callSpec: withIds(probe.callSpec, mapId) },
      { ids: others },
    )
  return { graph, session, ids, name, readAs, read: (probe: Probe) => readAs(probe, name) }
}

type MapId = (id: string) => string

const scopedNodes = ({ schema, nodes }: World) => nodes.filter(({ type }) => schema.types[type]?.appScoped)

/**
 * Returns a text with its decoded cursors, but without the values of `resolve` functions, which see raw ids.
 */
const decodeCursors = (text: string): string => {
  const cursors = text.match(/[\w-]{12,}/g) ?? []
  // The cursor of a list with app-scoped targets ends with a signature.
  const parts = cursors.flatMap(cursor => [cursor, cursor.slice(0, -16)])
  const decoded = parts.map(part => Buffer.from(part, 'base64url').toString('latin1'))
  return [text.replaceAll(/"(?:\w+-)?\d+ times \w+"/g, ''), ...decoded].join('\n')
}

const findPublicIds = (text: string): readonly string[] => [
  ...new Set(decodeCursors(text).match(/(?<!\d)[1-9]\d{19}(?!\d)|[a-z]\w*-~\w[\w-]{43}/g)),
]

/** Returns the ids of all nodes in a result, without the ids in its links. */
const findNodeIds = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { id } = Object.assign({ id: undefined }, value)
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(findNodeIds)]
}

const isResult = (text: string): boolean => !text.startsWith('{"error"')

/** The property that no part of a result contains a raw id of an app-scoped type. */
const containsNoRawId = (appIds?: AppIds) =>
  fc.asyncProperty(appScopedCases, async ({ world, probes }) => {
    const { read } = await openForApp(world, 'calendar', appIds)
    const hidden = scopedNodes(world).map(({ id }) => id)
    for (const probe of probes) {
      const text = decodeCursors((await read(probe)).join('\n'))
      expect(hidden.filter(id => text.includes(id))).toEqual([])
    }
  })

/** The property that no id in the results of one app is in the results of another app. */
const sharesNoPublicId = (appIds?: AppIds) =>
  fc.asyncProperty(appScopedCases, async ({ world, probes }) => {
    const calendar = await openForApp(world, 'calendar', appIds)
    const chess = await openForApp(world, 'chess', appIds)
    const shownIds: [string[], string[]] = [[], []]
    for (const probe of probes) {
      shownIds[0].push(...(await calendar.read(probe)).flatMap(findPublicIds))
      shownIds[1].push(...(await chess.read(probe)).flatMap(findPublicIds))
    }
    expect(shownIds[0].filter(id => shownIds[1].includes(id))).toEqual([])
    expect(shownIds[0].length).toBe(shownIds[1].length)
  })

describe('the ids of app-scoped types', () => {
  it('do not appear raw in nodes, links, cursors, keys, metadata or messages', async () => {
    await fc.assert(containsNoRawId(), propertySettings(100))
  })

  it('differ for each app in every result', async () => {
    await fc.assert(sharesNoPublicId(), propertySettings(40))
  })

  it('are treated like those of missing nodes if they are raw, of another app or of a type without app-scoped ids', async () => {
    await fc.assert(
      fc.asyncProperty(appScopedCases, async ({ world, probes }) => {
        const chess = await openForApp(world, 'chess')
        const { ids } = await openForApp(world, 'calendar')
        const isScoped = (id: string) => scopedNodes(world).some(node => node.id === id)
        const { nodes } = storedPartOf(world)
        const indexOf = (id: string) => nodes.findIndex(node => node.id === id)
        const absent = (id: string) =>
          `${prefixOf(id)}${7_399_000_000_000_000_000n + BigInt(indexOf(id) + 1)}`
        const absentPublic = (id: string) => chess.ids.toPublic(absent(id))
        const mappings: readonly (readonly [MapId, MapId])[] = [
          [id => (isScoped(id) ? id : absent(id)), absent],
          [id => (isScoped(id) ? ids.toPublic(id) : chess.ids.toPublic(id)), absentPublic],
        ]
        for (const probe of probes) {
          for (const [foreign, missing] of mappings) {
            for (const ofRoots of [true, false]) {
              const readWith = (mapId: MapId) => {
                const others = nodes.map(({ id }) => mapId(id))
                return chess.readAs(
                  probe,
                  id => (ofRoots && indexOf(id) >= 0 ? mapId(id) : chess.name(id)),
                  others,
                )
              }
              const withMissingIds = (texts: readonly string[]) =>
                nodes.reduce(
                  (all, { id }) => all.map(text => text.replaceAll(foreign(id), missing(id))),
                  texts,
                )
              expect(withMissingIds(await readWith(foreign))).toEqual(withMissingIds(await readWith(missing)))
            }
          }
        }
      }),
      propertySettings(40),
    )
  })
})

const readLink = async ({ graph, session }: Caller, link: string): Promise<unknown> =>
  graph.getEdge(session, parseLink(link))

describe('results for an app with app-scoped ids', () => {
  it('contain ids that can be read, and links that can be followed', async () => {
    await fc.assert(
      fc.asyncProperty(appScopedCases, async ({ world, probes }) => {
        const opened = await openForApp(world, 'calendar')
        const { graph, session, name, read } = opened
        const known = world.nodes.map(({ id }) => name(id))
        for (const probe of probes) {
          for (const text of (await read(probe)).filter(isResult)) {
            const result: unknown = JSON.parse(text)
            for (const id of new Set(findNodeIds(result))) {
              expect(known).toContain(id)
              expect(await graph.getNode(session, { id, fields: 'id' })).toEqual({ id })
            }
            for (const link of findLinks(result)) expect(await readLink(opened, link)).toHaveProperty('data')
          }
        }
      }),
      propertySettings(40),
    )
  })

  it('contain cursors that other apps cannot use, except to read a page with their own ids', async () => {
    await fc.assert(
      fc.asyncProperty(appScopedCases, async ({ world, probes }) => {
        const calendar = await openForApp(world, 'calendar')
        const chess = await openForApp(world, 'chess')
        const known = world.nodes.map(({ id }) => chess.name(id))
        for (const { callSpec } of probes) {
          if (callSpec.method !== 'getEdge') continue
          const { id, edge, order } = callSpec
          const call = { edge, order, limit: 1, fields: 'id' }
          const page = await captureOutcome(() =>
            calendar.graph.getEdge(calendar.session, { ...call, id: calendar.name(id) }),
          )
          const { paging } = Object.assign({ paging: undefined }, 'result' in page ? page.result : {})
          const { after } = Object.assign({ after: undefined }, Object(paging).cursors)
          if (after === undefined) continue
          const outcome = await captureOutcome(() =>
            chess.graph.getEdge(chess.session, { ...call, id: chess.name(id), after }),
          )
          if ('reason' in outcome) expect(outcome.reason).toBe('invalid_parameter')
          else for (const id of findNodeIds(outcome.result)) expect(known).toContain(id)
        }
      }),
      propertySettings(40),
    )
  })
})

describe('the checks that app-scoped ids leak nothing', () => {
  const { appIds } = createAppIdOptions()

  const findsLeak = async (property: ReturnType<typeof containsNoRawId>): Promise<boolean> => {
    const { failed } = await fc.check(property, { ...propertySettings(1000), endOnFailure: true })
    return failed
  }

  it('detect raw ids', async () => {
    const raw: AppIds = { forApp: () => ({ toPublic: String, toRaw: String }) }
    expect(await findsLeak(containsNoRawId(raw))).toBe(true)
  })

  it('detect ids that all apps share', async () => {
    expect(await findsLeak(sharesNoPublicId({ forApp: () => appIds.forApp('any') }))).toBe(true)
  })
})
