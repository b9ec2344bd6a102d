import type { JsonValue } from '../base/json.ts'
import type { Selection, TypePlan } from '../plan/plan.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import type { BadValue } from './bad-values.ts'
import type { Page } from './page.ts'

/** What was read or computed for all records of a group under one step, by row. */
export type Cell =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'nodes'; readonly gathered: Gathered }
  | PagesCell

/** Page `i` has the items `starts[i]` up to `starts[i + 1]` of `gathered`. */
export type PagesCell = {
  readonly kind: 'pages'
  readonly pages: readonly Page[]
  /** By row, its page, if some rows share one; undefined: page `i` is that of row `i`. */
  readonly of: readonly number[] | undefined
  readonly starts: readonly number[]
  readonly gathered: Gathered
}

/** What is stored of a field, by row. */
export type StoredValues = readonly (JsonValue | BadValue | undefined)[]

/** Records of one type that are answered alike; `entries[row]` is the edge that led to `records[row]`, where one did. */
export type Group = {
  readonly plan: TypePlan
  readonly records: readonly NodeRecord[]
  readonly entries: readonly (EdgeEntry | undefined)[]
  readonly cells: (Cell | undefined)[]
  /** For each guard of the plan, by row, whether it lets through what it guards. */
  readonly guards: (readonly boolean[])[]
  /** By step that answers what is stored, what it reads of all records; filled when it is first asked for. */
  readonly stored: (StoredValues | undefined)[]
  /** The ids as they are answered, where they differ from app to app; looked up for all records at once. */
  ids: readonly string[] | undefined
}

/** Where an item is: undefined where it is left out, missing or of a type that is not answered. */
export type Place = { readonly group: Group; readonly row: number }

/** Items in order, each in the group of its type. */
export type Gathered = {
  readonly groups: readonly Group[]
  /** Undefined where item `i` is row `i` of the only group. */
  readonly places: readonly (Place | undefined)[] | undefined
}

const groupOf = (
  plan: TypePlan,
  records: readonly NodeRecord[],
  entries: readonly (EdgeEntry | undefined)[],
): Group => ({
  plan,
  records,
  entries,
  cells: plan.cells.map(() => undefined),
  guards: [],
  stored: [],
  ids: undefined,
})

const isUniform = (
  nodes: readonly (NodeRecord | undefined)[],
  type: string,
): nodes is readonly NodeRecord[] => {
  for (const node of nodes) if (node?.type !== type) return false
  return true
}

type Growing = {
  readonly group: Group
  readonly records: NodeRecord[]
  readonly entries: (EdgeEntry | undefined)[]
}

const startGroup = (plan: TypePlan): Growing => {
  const records: NodeRecord[] = []
  const entries: (EdgeEntry | undefined)[] = []
  return { group: groupOf(plan, records, entries), records, entries }
}

const NO_ENTRIES: readonly EdgeEntry[] = []

/** Sorts items by their types. Most lists are of one type, and are taken as they are. */
export const groupByType = (
  selection: Selection,
  nodes: readonly (NodeRecord | undefined)[],
  entries: readonly EdgeEntry[] = NO_ENTRIES,
): Gathered => {
  const plan = selection.only ?? selection.types.get(nodes[0]?.type ?? '')
  if (plan !== undefined && isUniform(nodes, plan.type)) {
    return { groups: nodes.length === 0 ? [] : [groupOf(plan, nodes, entries)], places: undefined }
  }
  const sorted = new Map<string, Growing>()
  const places = nodes.map((node, index): Place | undefined => {
    const own = node && selection.types.get(node.type)
    if (node === undefined || own === undefined) return undefined
    const type = sorted.get(node.type) ?? startGroup(own)
    sorted.set(node.type, type)
    type.entries.push(entries[index])
    return { group: type.group, row: type.records.push(node) - 1 }
  })
  return { groups: [...sorted.values()].map(({ group }) => group), places }
}
