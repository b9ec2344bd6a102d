import { createAppIds, type IdsOfApp } from 'kithgraph/app-ids'
import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

/** So many a call that microseconds a call are nanoseconds an id. */
const IDS = 1000
const FIRST_PERSON = 100_000_000_000

/** Some ids; those of another turn are others. */
const idsOf = (turn: number): string[] =>
  Array.from({ length: IDS }, (_, index) => `${FIRST_PERSON + turn * IDS + index}`)

const IDS_OPTIONS = { secrets: { 1: 'the secret of the bench' }, current: 1 }

const createAppOf = () => createAppIds(IDS_OPTIONS).forApp('bench')

/** Looks all ids up, and uses what comes in some way, so that no look-up can be left out. */
const lookUp = (ids: readonly string[], find: (id: string) => string | undefined) => () => {
  let length = 0
  for (const id of ids) length += find(id)?.length ?? 0
  return length
}

/** Looking ids up, by itself. */
const compareLookUps = async (): Promise<Finding[]> => {
  const fresh = createAppOf()
  const warm = createAppOf()
  const ids = idsOf(0)
  const publicIds = ids.map(id => warm.toPublic(id))
  for (const publicId of publicIds) warm.toRaw(publicId)
  const map = new Map(ids.map((id, index) => [id, publicIds[index]]))
  const findings = await compare({ name: 'known, to public', call: lookUp(ids, id => warm.toPublic(id)) }, [
    { name: 'read of a Map', call: lookUp(ids, id => map.get(id)), bar: { atMost: 1.5 } },
    { name: 'known, to raw', call: lookUp(publicIds, id => warm.toRaw(id)) },
    // What remembering is for: every person that an answer names costs this the first time.
    {
      name: 'new, to public',
      call: turn => lookUp(idsOf(turn), id => fresh.toPublic(id))(),
      bar: { atLeast: 500 },
    },
  ])
  return findings.map(finding => ({ ...finding, unit: 'ns' }))
}

/** An answer with the ids that the store holds. */
const withRawIds = (ids: IdsOfApp, answer: unknown): unknown => {
  const text = JSON.stringify(answer).replace(/\b1\d{19}\b/g, id => ids.toRaw(id) ?? id)
  return JSON.parse(text)
}

/** The 71-node read, of which 31 ids are of people. */
const compareReads = async ({ viewers, graph, graphWith }: SocialReaders): Promise<Finding[]> => {
  const secret = 'another secret of the bench'
  const ids = createAppOf()
  const warm = await graphWith('71 nodes, ids known', { secret, appIds: createAppIds(IDS_OPTIONS) })
  // Keys and ids are made anew in each read, as in the first read of a process.
  const cold = await graphWith('71 nodes, ids new', {
    secret,
    appIds: { forApp: app => createAppIds(IDS_OPTIONS).forApp(app) },
  })
  for (const { name, getPhotos } of [warm, cold]) {
    const inRaw = async (viewer: string) => withRawIds(ids, await getPhotos(viewer))
    await assertSameAnswers(viewers, [graph.name, graph.getPhotos], [name, inRaw], 'bytes')
  }
  const raw = inTurn(viewers, '71 nodes, raw ids', graph.getPhotos)
  return [
    ...(await compare(inTurn(viewers, warm.name, warm.getPhotos), [{ ...raw, bar: { atMost: 1.1 } }])),
    ...(await compare(inTurn(viewers, cold.name, cold.getPhotos), [raw])),
  ]
}

export const createAppIdsRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'app-ids',
  title: 'app-scoped ids: one, and those of a read',
  measure: async () => [...(await compareLookUps()), ...(await compareReads(await readersOf()))],
})
