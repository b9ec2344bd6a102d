import type { EdgeTest } from '../../store/contract.ts'
import { command } from './command.ts'
import { type Keys, toMarkedMember, toMember } from './keys.ts'
import type { Round } from './round.ts'
import { listOf } from './sender.ts'

/** The members to look for, by the key of their list; each once. */
const membersByList = (keys: Keys, tests: readonly EdgeTest[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const lists = new Map<string, Set<string>>()
  for (const { source, name, target } of tests) {
    const key = keys.list(source, name)
    const members = lists.get(key) ?? new Set()
    lists.set(key, members.add(toMember(target)).add(toMarkedMember(target)))
  }
  return lists
}

/**
 * Asks tests, those of one list in one command; the answers are there once the round was sent. An edge counts only if
 * its target is there, since the edges to a deleted node may not have been purged yet.
 */
export const askTests = (
  round: Round,
  keys: Keys,
  tests: readonly EdgeTest[],
): (() => readonly boolean[]) => {
  if (tests.length === 0) return () => []
  const lists = [...membersByList(keys, tests)].map(([key, members]) => {
    const texts = [...members]
    return { key, texts, reply: round.ask(command('zmscore', key, ...texts)) }
  })
  const targets = round.askEach(
    tests.map(({ target }) => target),
    id => command('exists', keys.node(id)),
  )
  return () => {
    const found = new Map(
      lists.map(({ key, texts, reply }) => {
        const scores = listOf(reply())
        return [key, new Set(texts.filter((_, index) => scores[index] !== null))] as const
      }),
    )
    return tests.map(({ source, name, target }) => {
      const members = found.get(keys.list(source, name))
      const isListed = members?.has(toMember(target)) || members?.has(toMarkedMember(target))
      return isListed === true && Number(targets.get(target)?.()) === 1
    })
  }
}
