import fc from 'fast-check'
import type { AppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../helpers/ask.ts'
import { callOf, linksIn } from '../helpers/links.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { type Manner, manners, type Probe, type Prober, transcriptOf, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { settings } from './settings.ts'

/** Ids that no other number in an answer has in it, in the order of those that they stand for. */
const longId = (id: string): string => {
  const index = IDS.indexOf(id)
  return index < 0 ? id : `${7_391_000_000_000_000_000n + 1_000_003n * BigInt(index)}`
}

const withLongIds = (world: World): World =>
  JSON.parse(JSON.stringify(world), (_key, value) => (typeof value === 'string' ? longId(value) : value))

/** A world under policies with types that are app-scoped, and what is asked of it, in terms of raw ids. */
const cases = fc
  .record({
    inquiry: inquiries({ policed: true, most: 4 }),
    manners: fc.array(manners, { minLength: 4, maxLength: 4 }),
  })
  .map(({ inquiry: { world, asked }, manners }) => ({
    world: withLongIds(world),
    probes: asked.flatMap((question, index): readonly Probe[] => {
      const manner: Manner | undefined = manners[index]
      return manner === undefined ? [] : [{ question: withIds(question, longId), manner }]
    }),
  }))

/** A world as one app knows it: how it calls nodes, and what it gets to read. */
const openFor = async (world: World, app: string, appIds: AppIds = scopedOptions().appIds) => {
  const options = { ...scopedOptions(), appIds, app }
  const { graph, session } = await openWorld(world, options)
  const ids = appIds.forApp(app)
  const name = nameIn([world], id => ids.toPublic(id))
  const all = world.nodes.map(({ id }) => name(id))
  const readAs = (probe: Probe, named: (id: string) => string, others: readonly string[] = all) =>
    transcriptOf({ graph, session }, { ...probe, question: withIds(probe.question, named) }, { ids: others })
  return { graph, session, ids, name, readAs, read: (probe: Probe) => readAs(probe, name) }
}

type Named = (id: string) => string

const scopedNodes = ({ schema, nodes }: World) => nodes.filter(({ type }) => schema.types[type]?.appScoped)

/** A text with what is written in its cursors; without what `resolve`, which sees raw ids, has answered. */
const spelledOut = (text: string): string => {
  const cursors = text.match(/[\w-]{12,}/g) ?? []
  // Those of lists that lead to app-scoped types end with a signature.
  const parts = cursors.flatMap(cursor => [cursor, cursor.slice(0, -16)])
  const decoded = parts.map(part => Buffer.from(part, 'base64url').toString('latin1'))
  return [text.replaceAll(/"\d+ times \w+"/g, ''), ...decoded].join('\n')
}

const publicIdsIn = (text: string): readonly string[] => [
  ...new Set(spelledOut(text).match(/(?<!\d)[1-9]\d{19}(?!\d)/g)),
]

/** The ids of the nodes in an answer, those of links apart. */
const nodeIdsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { id } = Object.assign({ id: undefined }, value)
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(nodeIdsIn)]
}

const isAnswer = (text: string): boolean => !text.startsWith('{"error"')

/** That no raw id of an app-scoped type is in an answer, wherever. */
const noneIsRaw = (appIds?: AppIds) =>
  fc.asyncProperty(cases, async ({ world, probes }) => {
    const { read } = await openFor(world, 'calendar', appIds)
    const hidden = scopedNodes(world).map(({ id }) => id)
    for (const probe of probes) {
      const text = spelledOut((await read(probe)).join('\n'))
      expect(hidden.filter(id => text.includes(id))).toEqual([])
    }
  })

/** That no id of what one app is answered is in what another is answered. */
const noneIsShared = (appIds?: AppIds) =>
  fc.asyncProperty(cases, async ({ world, probes }) => {
    const calendar = await openFor(world, 'calendar', appIds)
    const chess = await openFor(world, 'chess', appIds)
    const told: [string[], string[]] = [[], []]
    for (const probe of probes) {
      told[0].push(...(await calendar.read(probe)).flatMap(publicIdsIn))
      told[1].push(...(await chess.read(probe)).flatMap(publicIdsIn))
    }
    expect(told[0].filter(id => told[1].includes(id))).toEqual([])
    expect(told[0].length).toBe(told[1].length)
  })

describe('the ids of app-scoped types', () => {
  it('are nowhere in an answer: not in nodes, links, cursors, keys, metadata or messages', async () => {
    await fc.assert(noneIsRaw(), settings(100))
  })

  it('are others for each app, in whatever an app is answered', async () => {
    await fc.assert(noneIsShared(), settings(60))
  })

  it('that are raw or of another app, and public ids of other types, are as those of no node', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ world, probes }) => {
        const chess = await openFor(world, 'chess')
        const { ids } = await openFor(world, 'calendar')
        const isScoped = (id: string) => scopedNodes(world).some(node => node.id === id)
        const indexOf = (id: string) => world.nodes.findIndex(node => node.id === id)
        const absent = (id: string) => `${7_399_000_000_000_000_000n + BigInt(indexOf(id) + 1)}`
        const absentPublic = (id: string) => chess.ids.toPublic(absent(id))
        const names: readonly (readonly [Named, Named])[] = [
          [id => (isScoped(id) ? id : absent(id)), absent],
          [id => (isScoped(id) ? ids.toPublic(id) : chess.ids.toPublic(id)), absentPublic],
        ]
        for (const probe of probes) {
          for (const [foreign, missing] of names) {
            for (const ofRoots of [true, false]) {
              const asked = (named: Named) => {
                const others = world.nodes.map(({ id }) => named(id))
                return chess.readAs(
                  probe,
                  id => (ofRoots && indexOf(id) >= 0 ? named(id) : chess.name(id)),
                  others,
                )
              }
              const compared = (texts: readonly string[]) =>
                world.nodes.reduce(
                  (all, { id }) => all.map(text => text.replaceAll(foreign(id), missing(id))),
                  texts,
                )
              expect(compared(await asked(foreign))).toEqual(compared(await asked(missing)))
            }
          }
        }
      }),
      settings(60),
    )
  })
})

const answerTo = async ({ graph, session }: Prober, link: string): Promise<unknown> =>
  graph.getEdge(session, callOf(link))

describe('what an app is told', () => {
  it('it can ask for: each id is answered with the node that has it, each link with a page', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ world, probes }) => {
        const opened = await openFor(world, 'calendar')
        const { graph, session, name, read } = opened
        const known = world.nodes.map(({ id }) => name(id))
        for (const probe of probes) {
          for (const text of (await read(probe)).filter(isAnswer)) {
            const answer: unknown = JSON.parse(text)
            for (const id of new Set(nodeIdsIn(answer))) {
              expect(known).toContain(id)
              expect(await graph.getNode(session, { id, fields: 'id' })).toEqual({ id })
            }
            for (const link of linksIn(answer)) expect(await answerTo(opened, link)).toHaveProperty('data')
          }
        }
      }),
      settings(60),
    )
  })

  it('of cursors, another app is told to be at fault, or gets a page of its own', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ world, probes }) => {
        const calendar = await openFor(world, 'calendar')
        const chess = await openFor(world, 'chess')
        const known = world.nodes.map(({ id }) => chess.name(id))
        for (const { question } of probes) {
          if (question.method !== 'getEdge') continue
          const { id, edge, order } = question
          const call = { edge, order, limit: 1, fields: 'id' }
          const page = await outcomeOf(() =>
            calendar.graph.getEdge(calendar.session, { ...call, id: calendar.name(id) }),
          )
          const { paging } = Object.assign({ paging: undefined }, 'answer' in page ? page.answer : {})
          const { after } = Object.assign({ after: undefined }, Object(paging).cursors)
          if (after === undefined) continue
          const outcome = await outcomeOf(() =>
            chess.graph.getEdge(chess.session, { ...call, id: chess.name(id), after }),
          )
          if ('fault' in outcome) expect(outcome.fault).toBe('bad_parameter')
          else for (const id of nodeIdsIn(outcome.answer)) expect(known).toContain(id)
        }
      }),
      settings(60),
    )
  })
})

describe('the laws find ids', () => {
  const { appIds } = scopedOptions()

  const finds = async (property: ReturnType<typeof noneIsRaw>): Promise<boolean> => {
    const { failed } = await fc.check(property, { ...settings(100), endOnFailure: true })
    return failed
  }

  it('that are raw', async () => {
    const raw: AppIds = { forApp: () => ({ toPublic: id => id, toRaw: id => id }) }
    expect(await finds(noneIsRaw(raw))).toBe(true)
  })

  it('that all apps are told', async () => {
    expect(await finds(noneIsShared({ forApp: () => appIds.forApp('any') }))).toBe(true)
  })
})
