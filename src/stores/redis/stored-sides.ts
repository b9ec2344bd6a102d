import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeKey } from '../../store/contract.ts'
import type { CommandSender } from './command-sender.ts'
import { createScriptCommand, parseListReply } from './commands.ts'
import { READ_SIDES_SCRIPT } from './edge-scripts.ts'
import { groupBy } from './edge-sides.ts'
import { type Generation, parseGeneration, toMember } from './encoding.ts'
import type { RedisKeys } from './redis-keys.ts'
import { parseData } from './stored-json.ts'

/** One side of an edge between two generations of nodes. */
export type SideKey = {
  readonly edge: EdgeKey
  readonly sourceGeneration: Generation
  readonly targetGeneration: Generation
}

/** A side as it is stored. */
export type StoredSide = {
  /** Undefined if the edge does not exist. */
  readonly content: { readonly time: number; readonly data: JsonObject | undefined } | undefined
  /** The number of a mirrored edge; 0 if there is none. */
  readonly number: number
  /** Whether the data of the edge is missing or damaged, so that the side must not be copied. */
  readonly isDamaged: boolean
}

const CELLS_PER_SIDE = 3

/** Parses one of the sides that `READ_SIDES_SCRIPT` returns: its time, its data and its number. */
export const parseSideAt = (cells: readonly unknown[], index: number): StoredSide => {
  const ownCells = cells.slice(CELLS_PER_SIDE * index, CELLS_PER_SIDE * (index + 1))
  const [time = '', encodedData = '', number = ''] = ownCells.map(String)
  const data = encodedData === '' ? undefined : parseData(encodedData)?.[1]
  return {
    content: time === '' ? undefined : { time: Number(time), data },
    number: Number(number),
    isDamaged: time !== '' && encodedData !== '' && data === undefined,
  }
}

/** Creates the command that reads sides at one source. */
export const createReadSidesCommand = (keys: RedisKeys, source: NodeId, sideKeys: readonly SideKey[]) => {
  const names = [...new Set(sideKeys.map(({ edge }) => edge.name))]
  return createScriptCommand(
    READ_SIDES_SCRIPT,
    [
      keys.node(source),
      keys.numbers(source),
      keys.deletedNumbers(source),
      ...names.flatMap(name => [keys.list(source, name), keys.edgeData(source, name)]),
    ],
    [
      `${names.length}`,
      ...names,
      ...sideKeys.flatMap(({ edge, targetGeneration }) => [
        `${names.indexOf(edge.name) + 1}`,
        toMember(edge.target, targetGeneration),
      ]),
    ],
  )
}

/**
 * Reads sides, with one command for each source. The result of a side is undefined if its source is not of
 * the given generation.
 */
export const readSides = async (
  sender: CommandSender,
  keys: RedisKeys,
  sideKeys: readonly SideKey[],
): Promise<readonly (StoredSide | undefined)[]> => {
  const groups = [...groupBy([...sideKeys.entries()], ([, { edge }]) => edge.source)]
  const replies = await sender.send(
    groups.map(([source, group]) =>
      createReadSidesCommand(
        keys,
        source,
        group.map(([, sideKey]) => sideKey),
      ),
    ),
  )
  const sides: (StoredSide | undefined)[] = []
  for (const [at, [, group]] of groups.entries()) {
    const [recordEnd, ...cells] = parseListReply(replies[at])
    const end = String(recordEnd)
    for (const [index, [position, { sourceGeneration }]] of group.entries()) {
      const exists = end !== '' && parseGeneration(end) === sourceGeneration
      sides[position] = exists ? parseSideAt(cells, index) : undefined
    }
  }
  return sides
}
