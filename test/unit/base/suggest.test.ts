import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggestWords } from '../../../src/base/suggest.ts'

const FIELDS = ['name', 'email', 'birthday', 'photos', 'picture', 'friends', 'likes', 'link', 'feed']

describe('suggestWords', () => {
  it.each([
    ['nmae', ['name']],
    ['eMail', ['email']],
    ['photo', ['photos']],
    ['pcture', ['picture']],
    ['firends', ['friends']],
    ['lik', ['link', 'likes']],
    ['zzzz', []],
    ['', []],
  ])('returns, for %o, the suggestions %o', (word, expected) => {
    expect(suggestWords(word, FIELDS)).toEqual(expected)
  })

  it('returns at most three words, all of them known', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.array(fc.string({ maxLength: 12 })), (word, known) => {
        const suggestions = suggestWords(word, new Set(known))
        expect(suggestions.length).toBeLessThanOrEqual(3)
        for (const suggestion of suggestions) expect(known).toContain(suggestion)
      }),
    )
  })

  it('returns the first three words in alphabetical order if more words are equally similar', () => {
    expect(suggestWords('page', ['wage', 'sage', 'cage', 'rage'])).toEqual(['cage', 'rage', 'sage'])
  })

  it('returns a known word first if the text is exactly this word', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), word => {
        expect(suggestWords(word, FIELDS)[0]).toBe(word)
      }),
    )
  })

  it('returns a known word if one of its letters is missing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), fc.nat(), (word, at) => {
        const index = at % word.length
        expect(suggestWords(word.slice(0, index) + word.slice(index + 1), FIELDS)).toContain(word)
      }),
    )
  })

  it('does not depend on the order of the known words', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 8 }),
        fc.shuffledSubarray(FIELDS, { minLength: FIELDS.length }),
        (word, known) => {
          expect(suggestWords(word, known)).toEqual(suggestWords(word, FIELDS))
        },
      ),
    )
  })

  it('returns no suggestion for a very long word', () => {
    expect(suggestWords('n'.repeat(1_000_000), FIELDS)).toEqual([])
  })
})
