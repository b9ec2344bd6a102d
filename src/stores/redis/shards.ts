import type { NodeId } from '../../base/ids.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { createCommand } from './commands.ts'
import { computeSlot, SLOT_COUNT } from './key-slot.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { StepSender } from './write-steps.ts'

/** The number of shards of each collection in a new store. */
const NEW_SHARD_COUNT = 16

const MAX_SHARD_COUNT = 1024

const TAG_PREFIX = `${ROOT_ID}-`

export const isShardTag = (tag: string): boolean => tag.startsWith(TAG_PREFIX)

/** The hash tags of the shards of each collection. */
export type Shards = readonly string[]

/** The shards of the stores that this process uses. */
const shardsOfStores = new WeakMap<RedisKeys, Promise<Shards>>()

/**
 * Creates one hash tag for each of several equal parts of the slots, so that the shards are distributed over all
 * masters of a cluster.
 */
export const createShards = (count: number): Shards => {
  const tags: string[] = []
  for (let found = 0, number = 0; found < count; number++) {
    const tag = `${TAG_PREFIX}${number}`
    const part = Math.floor((computeSlot(tag) * count) / SLOT_COUNT)
    if (tags[part] !== undefined) continue
    tags[part] = tag
    found++
  }
  return tags
}

const readShardCount = async (sender: StepSender, keys: RedisKeys): Promise<number> => {
  const key = keys.shardCount()
  const commands = [createCommand('set', key, `${NEW_SHARD_COUNT}`, 'nx'), createCommand('get', key)]
  const [, reply] = await sender.send(commands)
  const count = Number(reply)
  if (!Number.isInteger(count) || count < 1 || count > MAX_SHARD_COUNT)
    throw new Error(`expected a number of shards from 1 to ${MAX_SHARD_COUNT} in the store`)
  return count
}

/**
 * Returns the shards of the collections of a store. Their number is in the store since the first use of a
 * collection, so that all processes have the same one.
 */
export const readShards = (sender: StepSender, keys: RedisKeys): Promise<Shards> => {
  const known = shardsOfStores.get(keys)
  if (known !== undefined) return known
  const shards = readShardCount(sender, keys).then(createShards)
  shardsOfStores.set(keys, shards)
  shards.catch(() => shardsOfStores.delete(keys))
  return shards
}

/** Returns the shard that has the entries of a node. */
export const shardOf = (shards: Shards, id: NodeId): string => shards[computeSlot(id) % shards.length] ?? ''
