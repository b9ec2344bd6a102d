import { type AppIdMapper, createAppIds } from 'kithgraph/app-ids'
import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

/** The number of ids per call. With 1000 ids, microseconds per call are nanoseconds per id. */
const IDS = 1000
const FIRST_PERSON = 100_000_000_000

/** Creates ids that are different in each turn. */
const createIds = (turn: number): string[] =>
  Array.from({ length: IDS }, (_, index) => `${FIRST_PERSON + turn * IDS + index}`)

const IDS_OPTIONS = { secrets: { 1: 'the secret of the bench' }, current: 1 }

const createAppOf = () => createAppIds(IDS_OPTIONS).forApp('bench')

/** Looks up all ids and uses the results, so that the compiler does not remove a lookup. */
const lookUp = (ids: readonly string[], find: (id: string) => string | undefined) => () => {
  let length = 0
  for (const id of ids) length += find(id)?.length ?? 0
  return length
}

/** Measures the lookup of ids by itself. */
const compareLookUps = async (): Promise<Finding[]> => {
  const fresh = createAppOf()
  const warm = createAppOf()
  const ids = createIds(0)
  const publicIds = ids.map(id => warm.toPublic(id))
  for (const publicId of publicIds) warm.toRaw(publicId)
  const map = new Map(ids.map((id, index) => [id, publicIds[index]]))
  const findings = await compare(
    { name: 'raw id to public id, cached', call: lookUp(ids, id => warm.toPublic(id)) },
    [
      { name: 'lookup in a Map', call: lookUp(ids, id => map.get(id)), bar: { max: 1.5 } },
      { name: 'public id to raw id, cached', call: lookUp(publicIds, id => warm.toRaw(id)) },
      // Measures the first conversion of an id. After it, the cache contains the id.
      {
        name: 'raw id to public id, not cached',
        call: turn => lookUp(createIds(turn), id => fresh.toPublic(id))(),
        bar: { min: 500 },
      },
    ],
  )
  return findings.map(finding => ({ ...finding, unit: 'ns' }))
}

/** Returns a result with the ids of the store. */
const withRawIds = (ids: AppIdMapper, result: unknown): unknown => {
  const text = JSON.stringify(result).replace(/\b1\d{19}\b/g, id => ids.toRaw(id) ?? id)
  return JSON.parse(text)
}

/** Measures the query for 71 nodes, in which 31 ids are ids of people. */
const compareReads = async ({ viewers, graph, graphWith }: SocialReaders): Promise<Finding[]> => {
  const secret = 'another secret of the bench'
  const ids = createAppOf()
  const warm = await graphWith('71 nodes, public ids cached', { secret, appIds: createAppIds(IDS_OPTIONS) })
  // Keys and ids are computed in each read, as in the first read of a process.
  const cold = await graphWith('71 nodes, public ids not cached', {
    secret,
    appIds: { forApp: app => createAppIds(IDS_OPTIONS).forApp(app) },
  })
  for (const { name, getPhotos } of [warm, cold]) {
    const inRaw = async (viewer: string) => withRawIds(ids, await getPhotos(viewer))
    await assertSameResults(viewers, [graph.name, graph.getPhotos], [name, inRaw], 'bytes')
  }
  const raw = readInTurn(viewers, '71 nodes, raw ids', graph.getPhotos)
  return [
    ...(await compare(readInTurn(viewers, warm.name, warm.getPhotos), [{ ...raw, bar: { max: 1.1 } }])),
    ...(await compare(readInTurn(viewers, cold.name, cold.getPhotos), [raw])),
  ]
}

export const createAppIdsRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'app-ids',
  title: 'app-scoped ids: the conversion of one id, and the query for 71 nodes',
  measure: async () => [...(await compareLookUps()), ...(await compareReads(await readersOf()))],
})
