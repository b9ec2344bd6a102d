import { createHash } from 'node:crypto'
import type { RedisClient } from 'kithgraph/redis'
import { WRITE_SIDES_SCRIPT } from '../../../../src/stores/redis/edge-scripts.ts'
import { WRITE_ENTRIES_SCRIPT } from '../../../../src/stores/redis/entry-scripts.ts'
import { interceptCommands } from './acting-client.ts'

const hashOf = (script: string): string => createHash('sha1').update(script).digest('hex')
const WRITE_SIDES_HASH = hashOf(WRITE_SIDES_SCRIPT)
const WRITE_ENTRIES_HASH = hashOf(WRITE_ENTRIES_SCRIPT)
/** The arguments before the names, and those of each side, of which the last is the number. */
const FIXED_ARGS = 3
const SIDE_ARGS = 6

/** How often each branch of the writes of mirrored edges ran. */
export type BranchCounts = {
  /** A second side was not written, because it had a newer number. */
  newerSecondSide: number
  /** Both sides were written again above the number of the second side. */
  rewriteAbove: number
  /** Both sides were not written again, because a later write had replaced the first side. */
  replacedFirstSide: number
}

export const createBranchCounts = (): BranchCounts => ({
  newerSecondSide: 0,
  rewriteAbove: 0,
  replacedFirstSide: 0,
})

/** The numbers of the sides of a call, as `WRITE_SIDES_SCRIPT` describes them. Undefined for other commands. */
const parseNumbers = ([name, hash, keyCount, ...rest]: readonly string[]): readonly string[] | undefined => {
  if (name !== 'evalsha' || hash !== WRITE_SIDES_HASH) return undefined
  const args = rest.slice(Number(keyCount))
  const sides = args.slice(FIXED_ARGS + Number(args[2]))
  return sides.filter((text, index) => index % SIDE_ARGS === SIDE_ARGS - 1 && text !== '')
}

/** Whether a line writes first sides, which receive new numbers. */
export const writesFirstSides = (line: readonly string[]): boolean =>
  parseNumbers(line)?.includes('new') ?? false

/** Whether a line writes second sides, which have the numbers of their first sides. */
export const writesSecondSides = (line: readonly string[]): boolean =>
  parseNumbers(line)?.some(number => /^\d+$/.test(number)) ?? false

/** Whether a line writes the entries of nodes in the shards of collections. */
export const writesCollectionEntries = ([name, hash]: readonly string[]): boolean =>
  name === 'evalsha' && hash === WRITE_ENTRIES_HASH

const countResult = (counts: BranchCounts, line: readonly string[], reply: unknown): void => {
  const [, results] = Array.isArray(reply) ? reply : []
  if (!Array.isArray(results)) return
  for (const [index, number] of (parseNumbers(line) ?? []).entries()) {
    const result = Number(results[index])
    const [condition, value] = number.split('>')
    if (value !== undefined && result === Number(value)) counts.rewriteAbove++
    else if (value !== undefined) counts.replacedFirstSide++
    else if (condition !== 'new' && result > Number(number)) counts.newerSecondSide++
  }
}

/** Creates a client that counts branches by the scripts that it runs and their results. */
export const countBranches = (client: RedisClient, counts: BranchCounts): RedisClient =>
  interceptCommands(
    client,
    (_, send) => send(),
    (lines, results) => {
      for (const [index, line] of lines.entries()) countResult(counts, line, results[index])
    },
  )
