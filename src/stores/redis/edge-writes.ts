import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import { type Command, createScriptCommand } from './command.ts'
import { encodeReverseEntry, type RedisKeys, toMember } from './keys.ts'
import { encodeData } from './records.ts'
import { ADD_REVERSE_SCRIPT, WRITE_EDGES_SCRIPT } from './scripts.ts'

/** The part of a write for one id. */
export type EdgeWriteStep = { readonly id: NodeId; readonly command: Command }

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

/** An edge to put; without a record, an edge to delete. */
export type EdgeWrite = { readonly edge: EdgeKey; readonly record?: EdgeRecord }

const encodeEdgeData = ({ time, data }: EdgeRecord): string =>
  data === undefined ? '' : encodeData(time, data)

const createWriteCommand = (keys: RedisKeys, source: NodeId, writes: readonly EdgeWrite[]): Command => {
  const names = [...new Set(writes.map(({ edge }) => edge.name))]
  const nameNumbers = new Map(names.map((name, index) => [name, `${index + 1}`]))
  return createScriptCommand(
    WRITE_EDGES_SCRIPT,
    [
      keys.node(source),
      keys.listNames(source),
      ...names.flatMap(name => [keys.list(source, name), keys.edgeData(source, name)]),
    ],
    [
      ...names,
      ...writes.flatMap(({ edge, record }) => [
        nameNumbers.get(edge.name) ?? '',
        toMember(edge.target),
        record === undefined ? '' : `${record.time}`,
        record === undefined ? '' : encodeEdgeData(record),
      ]),
    ],
  )
}

/** Creates the commands that put and delete edges: one step for each source. */
export const createEdgeSteps = (keys: RedisKeys, writes: readonly EdgeWrite[]): readonly EdgeWriteStep[] =>
  [...groupBy(writes, ({ edge }) => edge.source)].map(([id, group]) => ({
    id,
    command: createWriteCommand(keys, id, group),
  }))

/** Creates the commands that add reverse entries at the targets: one step for each target. */
export const createReverseAddSteps = (keys: RedisKeys, edges: readonly EdgeKey[]): readonly EdgeWriteStep[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => ({
    id,
    command: createScriptCommand(
      ADD_REVERSE_SCRIPT,
      [keys.node(id), keys.reverseEntries(id)],
      group.map(encodeReverseEntry),
    ),
  }))

/** Creates the commands that remove reverse entries at the targets: one step for each target. */
export const createReverseRemoveSteps = (
  keys: RedisKeys,
  edges: readonly EdgeKey[],
): readonly EdgeWriteStep[] =>
  [...groupBy(edges, edge => edge.target)].map(([id, group]) => {
    const key = keys.reverseEntries(id)
    return { id, command: { key, name: 'srem', args: [key, ...group.map(encodeReverseEntry)] } }
  })
