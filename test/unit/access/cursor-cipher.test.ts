import { describe, expect, it } from 'vitest'
import { createCursorCipher } from '../../../src/access/cursor-cipher.ts'

const CONTEXT = 'cGhvdG9zOnI6'
const SECRET = 'the secret of the graph'
const POSITION = '7 1400000000000 4'

const cipher = createCursorCipher(SECRET)
const encrypted = cipher.encrypt(CONTEXT, POSITION)

/** Returns all texts whose decoded bytes differ from those of a text in one bit. */
const flipEachBit = (text: string): string[] => {
  const bytes = Buffer.from(text, 'base64url')
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return flipped.toString('base64url')
  })
}

describe('an encrypted cursor position', () => {
  it.each(['', POSITION, '9223372036854775807 -8640000000000000 9223372036854775807', 'ä\u0000😀'])(
    'decrypts to the original text and has a length that does not depend on a short text: %o',
    position => {
      const text = cipher.encrypt(CONTEXT, position)
      expect(cipher.decrypt(CONTEXT, text)).toBe(position)
      expect(text).toMatch(/^[A-Za-z0-9_-]{139}$/)
    },
  )

  it.each([
    [62, 139],
    [63, 224],
    [126, 224],
    [500, 736],
  ])('is padded to a multiple of 64 bytes: %i bytes of text give %i characters', (bytes, length) => {
    const position = 'x'.repeat(bytes)
    const text = cipher.encrypt(CONTEXT, position)
    expect([text.length, cipher.decrypt(CONTEXT, text)]).toEqual([length, position])
  })

  it('is the same with every cipher that has the same secret, and can be decrypted by it', () => {
    expect(createCursorCipher(SECRET).encrypt(CONTEXT, POSITION)).toBe(encrypted)
    expect(createCursorCipher(SECRET).decrypt(CONTEXT, encrypted)).toEqual(POSITION)
  })

  it('does not resemble the encrypted position of the next millisecond', () => {
    const other = cipher.encrypt(CONTEXT, POSITION.replace('1400000000000', '1400000000001'))
    const same = [...encrypted].filter((char, index) => char === other[index])
    expect(same.length).toBeLessThan(12)
  })

  it.each(['', 'cGhvdG9zOmM6', `${CONTEXT} `])('does not decrypt with another context: %o', context => {
    expect(cipher.decrypt(context, encrypted)).toBeUndefined()
  })

  it('does not decrypt with another secret or without a secret', () => {
    expect(createCursorCipher('another secret').decrypt(CONTEXT, encrypted)).toBeUndefined()
    expect(createCursorCipher(undefined).decrypt(CONTEXT, encrypted)).toBeUndefined()
  })

  it('does not decrypt after a change of any bit', () => {
    for (const text of flipEachBit(encrypted)) expect(cipher.decrypt(CONTEXT, text)).toBeUndefined()
  })

  it.each([
    '',
    'x',
    encrypted.slice(1),
    `${encrypted}A`,
    `${encrypted}=`,
    ` ${encrypted}`,
    `${encrypted.slice(0, -1)}ä`,
    '\0'.repeat(139),
  ])('does not decrypt from an invalid text: %o', text => {
    expect(cipher.decrypt(CONTEXT, text)).toBeUndefined()
  })

  it('does not decrypt after a change of its last character', () => {
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...last].filter(
      char => cipher.decrypt(CONTEXT, encrypted.slice(0, -1) + char) !== undefined,
    )
    expect(spellings).toEqual([encrypted.at(-1)])
  })

  it('is rejected within a second if it is very long', () => {
    const started = performance.now()
    // A decoder that reads each character would take seconds.
    expect(cipher.decrypt(CONTEXT, 'A'.repeat(2 ** 28))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe.each([[undefined], ['']])('a cursor position encrypted without a secret (%o)', secret => {
  it('decrypts only with the cipher that encrypted it', () => {
    const own = createCursorCipher(secret)
    expect(own.decrypt(CONTEXT, own.encrypt(CONTEXT, POSITION))).toEqual(POSITION)
    expect(createCursorCipher(secret).decrypt(CONTEXT, own.encrypt(CONTEXT, POSITION))).toBeUndefined()
  })
})
