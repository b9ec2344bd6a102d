import type { NodeId } from '../base/ids.ts'
import type { EdgeKey, EdgeRecord, NodeRecord } from '../store/contract.ts'
import type { DerivedEntry } from '../store/derived-entries.ts'

type Records = { readonly nodes: ReadonlyMap<NodeId, NodeRecord>; readonly edges: readonly EdgeRecord[] }

const isSameEdge = (a: EdgeKey, b: EdgeKey): boolean =>
  a.source === b.source && a.name === b.name && a.target === b.target

/** Returns the members that an entry of a collection or of an order is derived from, and its data. */
const findOrigin = ({ nodes, edges }: Records, { source, name, target }: EdgeKey) => {
  if (source === 'root') return { members: nodes.get(target)?.fields, data: undefined }
  const [list = ''] = name.split('#')
  const edge = edges.find(other => isSameEdge(other, { source, name: list, target }))
  return { members: edge && (edge.data ?? {}), data: { ...edge?.data, '#time': edge?.time ?? 0 } }
}

/** Returns the edges after an entry of a collection or of an order is derived again. */
export const withDerivedEntry = (records: Records, { by, ...entry }: DerivedEntry): EdgeRecord[] => {
  const others = records.edges.filter(edge => !isSameEdge(edge, entry))
  const { members, data } = findOrigin(records, entry)
  const value = by === undefined ? 0 : members?.[by.field]
  if (members === undefined || typeof value !== 'number') return others
  const time = by === undefined ? 0 : value * by.factor
  const isValid = Number.isInteger(time) && Math.abs(time) <= 8.64e15
  return isValid ? [...others, { ...entry, time, data }] : others
}
