import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { familyIn, familyKey, familyOf, newToken, tokenKey } from '../../../src/access/token-text.ts'

const viewer = fc.option(fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }).map(String), {
  nil: undefined,
})

describe('the text of a token', () => {
  it('carries the family of its viewer', () => {
    fc.assert(
      fc.property(viewer, fc.string(), (id, secret) => {
        expect(familyIn(newToken(id, secret), secret)).toBe(familyOf(id, secret))
      }),
    )
  })

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newToken('1', 's'))).size).toBe(1000)
  })

  it('does not show that two tokens are of one viewer', () => {
    const tails = Array.from({ length: 1000 }, () => newToken('1', 'the secret').slice(44))
    expect(new Set(tails).size).toBe(1000)
  })

  it('tells nothing of the viewer, nor of the secret', () => {
    const token = newToken('1234567890', 'the secret')
    expect(token).not.toContain('1234567890')
    expect(Buffer.from(token.replace('.', ''), 'base64url').toString('latin1')).not.toContain('secret')
  })

  it.each([
    '',
    '.',
    'x',
    'a|b',
    `${'A'.repeat(42)}.${'A'.repeat(22)}`,
    `${'A'.repeat(43)}.${'A'.repeat(22)}\n`,
    `${'A'.repeat(43)}!${'A'.repeat(22)}`,
  ])('is no token: %o', text => {
    expect(familyIn(text, 'secret')).toBeUndefined()
  })
})

describe('a family', () => {
  it('is one for each viewer and secret', () => {
    fc.assert(
      fc.property(viewer, viewer, fc.string(), fc.string(), (a, b, one, other) => {
        expect(familyOf(a, one) === familyOf(b, other)).toBe(a === b && one === other)
      }),
    )
  })
})

describe('a key', () => {
  it('is the SHA-256 of the text', () => {
    const token = newToken('1', 's')
    expect(tokenKey(token)).toBe(createHash('sha256').update(token).digest('base64url'))
  })

  it('of a family is never that of a token', () => {
    const family = familyOf('1', 's')
    expect(familyKey(family)).not.toBe(tokenKey(family))
    expect(familyKey(family)).not.toContain(family)
  })
})
