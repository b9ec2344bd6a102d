import type { NodeId } from '../../base/ids.ts'
import type { EdgeTest } from '../../store/contract.ts'
import { command } from './command.ts'
import { type Keys, toMember } from './keys.ts'
import type { Round } from './round.ts'
import { listOf } from './sender.ts'

/** The members to look for, by the key of their list; each once. */
const membersByList = (keys: Keys, tests: readonly EdgeTest[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const lists = new Map<string, Set<string>>()
  for (const { source, name, target } of tests) {
    const key = keys.list(source, name)
    const members = lists.get(key) ?? new Set()
    lists.set(key, members.add(toMember(target)))
  }
  return lists
}

/**
 * Asks tests, those of one list in one command; the answers are there once the round was sent. An edge counts only if
 * both its ends are there, since the edges of a deleted node may not have been purged yet.
 */
export const askTests = (
  round: Round,
  keys: Keys,
  tests: readonly EdgeTest[],
): (() => readonly boolean[]) => {
  const lists = [...membersByList(keys, tests)].map(([key, members]) => {
    const texts = [...members]
    return { key, texts, reply: round.ask(command('zmscore', key, ...texts)) }
  })
  const ends = tests.flatMap(({ source, target }) => [source, target])
  const nodes = round.askEach(ends, id => command('exists', keys.node(id)))
  return () => {
    const found = new Map(
      lists.map(({ key, texts, reply }) => {
        const scores = listOf(reply())
        return [key, new Set(texts.filter((_, index) => scores[index] !== null))] as const
      }),
    )
    const isThere = (id: NodeId) => Number(nodes.get(id)?.()) === 1
    return tests.map(
      ({ source, name, target }) =>
        found.get(keys.list(source, name))?.has(toMember(target)) === true &&
        isThere(source) &&
        isThere(target),
    )
  }
}
