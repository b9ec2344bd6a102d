import type { EdgeKey } from '../../store/contract.ts'
import { createCommand } from './command.ts'
import { parseListReply } from './command-sender.ts'
import { type RedisKeys, toMember, toMemberWithData } from './keys.ts'
import type { RoundTrip } from './round-trip.ts'

/** Returns the members to look up, by the key of their list, each once. */
const groupMembersByList = (
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const lists = new Map<string, Set<string>>()
  for (const { source, name, target } of checks) {
    const key = keys.list(source, name)
    const members = lists.get(key) ?? new Set()
    lists.set(key, members.add(toMember(target)).add(toMemberWithData(target)))
  }
  return lists
}

/**
 * Enqueues checks, those of one list in one command. The results are available after the round trip. An edge
 * counts only if its target exists, since the edges to a deleted node may not have been purged yet.
 */
export const enqueueChecks = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  checks: readonly EdgeKey[],
): (() => readonly boolean[]) => {
  if (checks.length === 0) return () => []
  const lookups = [...groupMembersByList(keys, checks)].map(([key, members]) => {
    const texts = [...members]
    return { key, texts, readReply: roundTrip.enqueue(createCommand('zmscore', key, ...texts)) }
  })
  const targetReplies = roundTrip.enqueueEach(
    checks.map(({ target }) => target),
    id => createCommand('exists', keys.node(id)),
  )
  return () => {
    const foundMembersByList = new Map(
      lookups.map(({ key, texts, readReply }) => {
        const scores = parseListReply(readReply())
        return [key, new Set(texts.filter((_, index) => scores[index] !== null))] as const
      }),
    )
    return checks.map(({ source, name, target }) => {
      const members = foundMembersByList.get(keys.list(source, name))
      const isListed = members?.has(toMember(target)) || members?.has(toMemberWithData(target))
      return isListed === true && Number(targetReplies.get(target)?.()) === 1
    })
  }
}
