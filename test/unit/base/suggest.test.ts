import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../src/base/suggest.ts'

const FIELDS = ['name', 'email', 'birthday', 'photos', 'picture', 'friends', 'likes', 'link', 'feed']

describe('a suggestion', () => {
  it.each([
    ['nmae', ['name']],
    ['eMail', ['email']],
    ['photo', ['photos']],
    ['pcture', ['picture']],
    ['firends', ['friends']],
    ['lik', ['link', 'likes']],
    ['zzzz', []],
    ['', []],
  ])('for %o is %o', (word, expected) => {
    expect(suggest(word, FIELDS)).toEqual(expected)
  })

  it('is at most three words, all of them known', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.array(fc.string({ maxLength: 12 })), (word, known) => {
        const suggestions = suggest(word, new Set(known))
        expect(suggestions.length).toBeLessThanOrEqual(3)
        for (const suggestion of suggestions) expect(known).toContain(suggestion)
      }),
    )
  })

  it('is the first three by name where more are as near', () => {
    expect(suggest('page', ['wage', 'sage', 'cage', 'rage'])).toEqual(['cage', 'rage', 'sage'])
  })

  it('has a known word first where it was written as it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), word => {
        expect(suggest(word, FIELDS)[0]).toBe(word)
      }),
    )
  })

  it('has the word that one letter is missing from', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), fc.nat(), (word, at) => {
        const index = at % word.length
        expect(suggest(word.slice(0, index) + word.slice(index + 1), FIELDS)).toContain(word)
      }),
    )
  })

  it('does not depend on the order of what is known', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 8 }),
        fc.shuffledSubarray(FIELDS, { minLength: FIELDS.length }),
        (word, known) => {
          expect(suggest(word, known)).toEqual(suggest(word, FIELDS))
        },
      ),
    )
  })

  it('comes soon for a long word', () => {
    expect(suggest('n'.repeat(1_000_000), FIELDS)).toEqual([])
  })
})
