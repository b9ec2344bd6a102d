import { createAppIds } from 'kithgraph/app-ids'
import { compare } from '../measure/compare.ts'
import type { Row } from './row.ts'

/** So many a call that microseconds a call are nanoseconds an id. */
const IDS = 1000
const FIRST_PERSON = 100_000_000_000

/** Some ids; those of another turn are others. */
const idsOf = (turn: number): string[] =>
  Array.from({ length: IDS }, (_, index) => `${FIRST_PERSON + turn * IDS + index}`)

const createAppOf = () =>
  createAppIds({ secrets: { 1: 'the secret of the bench' }, current: 1 }).forApp('bench')

/** Looks all ids up, and uses what comes in some way, so that no look-up can be left out. */
const lookUp = (ids: readonly string[], find: (id: string) => string | undefined) => () => {
  let length = 0
  for (const id of ids) length += find(id)?.length ?? 0
  return length
}

export const createAppIdsRow = (): Row => ({
  name: 'app-ids',
  title: 'an app-scoped id',
  async measure() {
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
  },
})
