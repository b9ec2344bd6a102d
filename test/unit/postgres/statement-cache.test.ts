import { describe, expect, it } from 'vitest'
import { StatementCache } from '../../../src/stores/postgres/statement-cache.ts'

const textOf = (index: number): string => `select ${index}`

describe('the statements that depend on the query', () => {
  it('get a name at their second use, and two stores in one pool other names', () => {
    const [first, second] = [new StatementCache('first'), new StatementCache('second')]
    for (const cache of [first, second]) expect(cache.use(textOf(1)).name).toBeUndefined()
    const names = [first, second].map(cache => cache.use(textOf(1)).name)
    expect(names).toEqual([expect.stringMatching(/ of first$/), expect.stringMatching(/ of second$/)])
    expect(first.use(textOf(1)).name).toBe(names[0])
  })

  it('have at most 300 names, of which a text that was dropped gets its own again', () => {
    const cache = new StatementCache('test')
    const nameOf = (index: number): string | undefined => {
      cache.use(textOf(index))
      return cache.use(textOf(index)).name
    }
    const firstNames = Array.from({ length: 200 }, (_, index) => nameOf(index))
    const againNames = Array.from({ length: 200 }, (_, index) => nameOf(index))
    expect(againNames).toEqual(firstNames)
    const furtherNames = Array.from({ length: 200 }, (_, index) => nameOf(200 + index))
    expect(new Set([...firstNames, ...furtherNames, undefined]).size).toBe(301)
    expect(furtherNames.slice(100)).toEqual(Array.from({ length: 100 }))
  })
})
