import type { NodeId } from '../../base/ids.ts'
import type { EdgeRecord, EdgeTest } from '../../store/contract.ts'
import { type Command, runScript } from './command.ts'
import { encodeReverse, type Keys, toMember } from './keys.ts'
import { encodeData } from './records.ts'
import { ADD_REVERSE, WRITE_EDGES } from './scripts.ts'

/** The part of a write that concerns one id. */
export type Step = { readonly id: NodeId; readonly command: Command }

const groupBy = <TItem, TKey>(
  items: readonly TItem[],
  keyOf: (item: TItem) => TKey,
): ReadonlyMap<TKey, TItem[]> => {
  const groups = new Map<TKey, TItem[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** An edge to put, or to delete where there is no record of it. */
export type EdgeWrite = { readonly edge: EdgeTest; readonly record?: EdgeRecord }

const dataOf = ({ time, data }: EdgeRecord): string => (data === undefined ? '' : encodeData(time, data))

const writeCommand = (keys: Keys, source: NodeId, writes: readonly EdgeWrite[]): Command => {
  const names = [...new Set(writes.map(({ edge }) => edge.name))]
  const numbers = new Map(names.map((name, index) => [name, `${index + 1}`]))
  return runScript(
    WRITE_EDGES,
    [
      keys.node(source),
      keys.names(source),
      ...names.flatMap(name => [keys.list(source, name), keys.data(source, name)]),
    ],
    [
      ...names,
      ...writes.flatMap(({ edge, record }) => [
        numbers.get(edge.name) ?? '',
        toMember(edge.target),
        record === undefined ? '' : `${record.time}`,
        record === undefined ? '' : dataOf(record),
      ]),
    ],
  )
}

/** Puts and deletes edges: one step for each source. */
export const edgeSteps = (keys: Keys, writes: readonly EdgeWrite[]): readonly Step[] =>
  [...groupBy(writes, ({ edge }) => edge.source)].map(([id, group]) => ({
    id,
    command: writeCommand(keys, id, group),
  }))

/** Remembers edges at their targets: one step for each target. */
export const addReverseSteps = (keys: Keys, edges: readonly EdgeTest[]): readonly Step[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => ({
    id,
    command: runScript(ADD_REVERSE, [keys.node(id), keys.reverse(id)], group.map(encodeReverse)),
  }))

/** Forgets edges at their targets: one step for each target. */
export const removeReverseSteps = (keys: Keys, edges: readonly EdgeTest[]): readonly Step[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => {
    const key = keys.reverse(id)
    return { id, command: { key, name: 'srem', args: [key, ...group.map(encodeReverse)] } }
  })
