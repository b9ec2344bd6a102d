import type { EdgeRecord, NodeRecord } from '../store/contract.ts'
import {
  type DerivedEntry,
  deriveEntry,
  edgeOfEntry,
  isDerivedList,
  ROOT_ID,
} from '../store/derived-entries.ts'
import { type InspectedEdge, isDangling, type StoreInspector } from '../store/inspection.ts'
import { ABSENT_KEY, type DeclaredEntries } from './declared-entries.ts'
import { divide } from './divide.ts'

/** A declared entry, and the one that its record gives; `undefined` if it gives none. */
export type ExpectedEntry = {
  readonly entry: DerivedEntry
  readonly expected: EdgeRecord | undefined
}

const expectNodeEntries = (declared: DeclaredEntries, node: NodeRecord): readonly ExpectedEntry[] =>
  declared.ofNode(node).map(entry => ({ entry, expected: deriveEntry(entry, { members: node.fields }) }))

const expectEdgeEntries = (declared: DeclaredEntries, edge: InspectedEdge): readonly ExpectedEntry[] =>
  declared
    .ofEdge(edge)
    .map(entry => ({ entry, expected: deriveEntry(entry, { members: edge.data ?? {}, time: edge.time }) }))

/** Returns the entries of the records of a page. An edge without both ends has none, because reads hide it. */
export const expectEntries = (
  declared: DeclaredEntries,
  { nodes, edges }: { readonly nodes: readonly NodeRecord[]; readonly edges: readonly InspectedEdge[] },
): readonly ExpectedEntry[] => [
  ...nodes.flatMap(node => expectNodeEntries(declared, node)),
  ...edges
    .filter(edge => !isDerivedList(edge) && !isDangling(edge))
    .flatMap(edge => expectEdgeEntries(declared, edge)),
]

/** Reads the records of entries, and returns the entries that they give. */
export const readExpected = async (
  inspector: StoreInspector,
  declared: DeclaredEntries,
  entries: readonly DerivedEntry[],
): Promise<readonly (EdgeRecord | undefined)[]> => {
  const ids = entries.flatMap(({ source, target }) => (source === ROOT_ID ? target : []))
  const edgeKeys = entries.flatMap(entry => (entry.source === ROOT_ID ? [] : edgeOfEntry(entry)))
  const nodes = ids.length === 0 ? [] : await inspector.readNodes(ids)
  const edges = edgeKeys.length === 0 ? [] : await inspector.readEdges(edgeKeys)
  const [nextNode, nextEdge] = [nodes.values(), edges.values()]
  return entries.map(({ source, name }) => {
    const record = (source === ROOT_ID ? nextNode : nextEdge).next().value
    if (record === undefined) return undefined
    const expected =
      'id' in record ? expectNodeEntries(declared, record) : expectEdgeEntries(declared, record)
    return expected.find(({ entry }) => entry.name === name)?.expected
  })
}

/** Returns the stored entries of declared lists that have no record. */
export const findStrayEntries = async (
  inspector: StoreInspector,
  declared: DeclaredEntries,
  edges: readonly InspectedEdge[],
): Promise<readonly DerivedEntry[]> => {
  const entries = edges
    .filter(edge => isDerivedList(edge) && !isDangling(edge))
    .flatMap(edge => declared.find(edge) ?? [])
  const strayEntries = entries.filter(({ by }) => by === ABSENT_KEY)
  for (const part of divide(entries.filter(({ source }) => source !== ROOT_ID))) {
    const records = await inspector.readEdges(part.map(edgeOfEntry))
    strayEntries.push(...part.filter((_, index) => records[index] === undefined))
  }
  return strayEntries
}
