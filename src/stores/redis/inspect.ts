import type { EdgeKey } from '../../store/contract.ts'
import type { InspectedEdge, MirrorState, StoreInspector } from '../../store/inspection.ts'
import { isFirstSide } from '../../store/mirrors.ts'
import { readEdgesAndEntries } from './collection-inspection.ts'
import { CommandSender, type RedisClient } from './command-sender.ts'
import { toMember } from './encoding.ts'
import { type IdState, type ListedEdgeState, READ_ID_SCRIPT, readIdState } from './id-state.ts'
import { readStoredNodes } from './inspection-reads.ts'
import { scanStore } from './inspection-scan.ts'
import { namesEdge } from './recovery-note.ts'
import { RedisKeys } from './redis-keys.ts'
import { RedisRepair } from './repair.ts'
import {
  REMOVE_ORPHAN_ENTRY_SCRIPT,
  REMOVE_ORPHAN_SCRIPT,
  RETIRE_GENERATION_SCRIPT,
} from './repair-scripts.ts'

const INSPECTION_SCRIPTS = [
  READ_ID_SCRIPT,
  RETIRE_GENERATION_SCRIPT,
  REMOVE_ORPHAN_SCRIPT,
  REMOVE_ORPHAN_ENTRY_SCRIPT,
]

/** One side of a mirrored edge, with the state of its source at the same moment. */
type SideState = { readonly id: IdState; readonly side: ListedEdgeState | undefined }

const isSameSide = (a: SideState, b: SideState): boolean =>
  a.id.generation === b.id.generation &&
  a.side?.time === b.side?.time &&
  a.side?.number === b.side?.number &&
  a.side?.deletedNumber === b.side?.deletedNumber

const toEdge = (key: EdgeKey, side: SideState, other: SideState): InspectedEdge | undefined => {
  if (side.side?.time === undefined) return undefined
  const { time, data } = side.side
  return { ...key, time, data, sourceType: side.id.type, targetType: other.id.type }
}

/** Whether the missing one of two sides was deleted by a write after the last write of the existing side. */
const isDeletedLater = (a: SideState, b: SideState): boolean => {
  const [existing, missing] = a.side?.time === undefined ? [b.side, a.side] : [a.side, b.side]
  return (
    missing?.time === undefined &&
    (existing?.number ?? 0) > 0 &&
    (missing?.deletedNumber ?? 0) > (existing?.number ?? 0)
  )
}

/** Reads both sides of mirrored edges. */
class MirrorReader {
  readonly #sender: CommandSender
  readonly #keys: RedisKeys

  constructor(sender: CommandSender, keys: RedisKeys) {
    this.#sender = sender
    this.#keys = keys
  }

  /**
   * Reads the first side before and after the second side. If the first side has not changed and no recovery
   * note names the edge, no writer has changed the second side in between.
   */
  async read(edge: EdgeKey, mirror: EdgeKey): Promise<MirrorState | undefined> {
    const [firstKey, secondKey] = isFirstSide(edge, mirror) ? [edge, mirror] : [mirror, edge]
    const generations = await Promise.all(
      [firstKey.source, firstKey.target].map(
        async id => (await readIdState(this.#sender, this.#keys, id)).generation,
      ),
    )
    const [sourceGeneration, targetGeneration] = generations
    if (sourceGeneration === undefined || targetGeneration === undefined) return undefined
    const first = await this.#readSide(firstKey, targetGeneration)
    const second = await this.#readSide(secondKey, sourceGeneration)
    const firstAgain = await this.#readSide(firstKey, targetGeneration)
    const isStable =
      first.id.generation === sourceGeneration &&
      second.id.generation === targetGeneration &&
      isSameSide(first, firstAgain)
    const notes = [...first.id.notes, ...firstAgain.id.notes]
    const isNamed = namesEdge(notes, firstKey, toMember(firstKey.target, targetGeneration))
    if (!isStable || isNamed) return undefined
    const [edgeSide, mirrorSide] = firstKey === edge ? [first, second] : [second, first]
    return {
      edge: toEdge(edge, edgeSide, mirrorSide),
      mirror: toEdge(mirror, mirrorSide, edgeSide),
      isDeleted: isDeletedLater(first, second),
    }
  }

  async #readSide({ source, name, target }: EdgeKey, targetGeneration: string): Promise<SideState> {
    const listed = { name, member: toMember(target, targetGeneration) }
    const notesAbout = { member: listed.member, age: 'all' as const }
    const id = await readIdState(this.#sender, this.#keys, source, { edges: [listed], notesAbout })
    return { id, side: id.edges[0] }
  }
}

/**
 * Creates the inspector of a store, with a connected client of ioredis. `close` does not close the client.
 */
export const createRedisInspector = async (client: RedisClient, prefix: string): Promise<StoreInspector> => {
  const [sender, keys] = [new CommandSender(client), new RedisKeys(prefix)]
  await sender.loadScripts()
  await sender.loadScripts(INSPECTION_SCRIPTS)
  const mirrors = new MirrorReader(sender, keys)
  const repair = new RedisRepair(sender, keys)
  return {
    scan: () => scanStore({ client, sender, keys, prefix }),
    readNodes: async ids => {
      const nodes = new Map((await readStoredNodes(sender, keys, ids)).map(({ id, node }) => [id, node]))
      return ids.map(id => nodes.get(id))
    },
    readEdges: edgeKeys => readEdgesAndEntries(sender, keys, edgeKeys),
    readMirror: (edge, mirror) => mirrors.read(edge, mirror),
    repair: finding => repair.repair(finding),
    close: () => undefined,
  }
}
