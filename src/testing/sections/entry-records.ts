import type { NodeId } from '../../base/ids.ts'
import type { EntryKey } from '../../store/derived-entries.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import type { StoreProbe } from '../store-probe.ts'

export const ROOT = 'root'
export const byField = (field: string, factor: 1 | 1000 = 1): EntryKey => ({ field, factor })
const BY_RANK = byField('rank')

/** Derives the entry of a node in a collection. */
export const collect = (target: NodeId, name = 'events', by = BY_RANK): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source: ROOT, name, target, by },
})

/** Derives the entry of a node in a collection by id. */
export const collectById = (target: NodeId): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source: ROOT, name: 'all', target, by: undefined },
})

/** Derives the entry of an edge in the further order `top`. */
export const orderEdge = (source: NodeId, list: string, target: NodeId): StoreMutation => ({
  op: 'deriveEntry',
  entry: { source, name: `${list}#top`, target, by: BY_RANK },
})

const readPositions = async (store: StoreProbe, source: NodeId, name: string) => {
  const { entries, total } = await store.readList(source, name)
  return { entries: entries.map(({ time, target }) => [time, target]), total }
}

export const assertPositions = async (
  store: StoreProbe,
  source: NodeId,
  name: string,
  expected: readonly (readonly [time: number, target: NodeId])[],
  label: string,
): Promise<void> =>
  assertEqual(
    await readPositions(store, source, name),
    { entries: expected, total: expected.length },
    `the list ${name} of ${source} ${label}`,
  )
