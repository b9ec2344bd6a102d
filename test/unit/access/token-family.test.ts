import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeTokenFamily,
  createToken,
  digestToken,
  digestTokenFamily,
  extractTokenFamily,
} from '../../../src/access/token-family.ts'

const viewer = fc.option(fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n }).map(String), {
  nil: undefined,
})

describe('the text of a token', () => {
  it('contains the masked token family of its viewer', () => {
    fc.assert(
      fc.property(viewer, fc.string(), (id, secret) => {
        expect(extractTokenFamily(createToken(id, secret), secret)).toBe(computeTokenFamily(id, secret))
      }),
    )
  })

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => createToken('1', 's'))).size).toBe(1000)
  })

  it('does not reveal that two tokens belong to one viewer', () => {
    const tails = Array.from({ length: 1000 }, () => createToken('1', 'the secret').slice(44))
    expect(new Set(tails).size).toBe(1000)
  })

  it('reveals neither the viewer nor the secret', () => {
    const token = createToken('1234567890', 'the secret')
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
  ])('contains no token family if its form is invalid: %o', text => {
    expect(extractTokenFamily(text, 'secret')).toBeUndefined()
  })
})

describe('the token family of a viewer', () => {
  it('differs for each viewer and each secret', () => {
    fc.assert(
      fc.property(viewer, viewer, fc.string(), fc.string(), (a, b, one, other) => {
        expect(computeTokenFamily(a, one) === computeTokenFamily(b, other)).toBe(a === b && one === other)
      }),
    )
  })
})

describe('the digest of a token', () => {
  it('is the SHA-256 of its text', () => {
    const token = createToken('1', 's')
    expect(digestToken(token)).toBe(createHash('sha256').update(token).digest('base64url'))
  })

  it('differs from the digest of a token family with the same text', () => {
    const family = computeTokenFamily('1', 's')
    expect(digestTokenFamily(family)).not.toBe(digestToken(family))
    expect(digestTokenFamily(family)).not.toContain(family)
  })
})
