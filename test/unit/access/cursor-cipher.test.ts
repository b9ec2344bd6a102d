import { describe, expect, it } from 'vitest'
import { createCursorCipher } from '../../../src/access/cursor-cipher.ts'

const CONTEXT = 'cGhvdG9zOnI6'
const SECRET = 'the secret of the graph'
const POSITION = { time: 1_400_000_000_000, target: '4', source: '7' }
const LATEST = 8.64e15

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
  it.each([
    POSITION,
    { time: 0, target: '1', source: '9223372036854775807' },
    { time: -1, target: '9223372036854775807', source: '1' },
    { time: LATEST, target: '9007199254740993', source: '2' },
    { time: -LATEST, target: '1000000000000000000', source: '3' },
  ])('decrypts to the original position and has a fixed length: $time, $target, $source', position => {
    const text = cipher.encrypt(CONTEXT, position)
    expect(cipher.decrypt(CONTEXT, text)).toEqual(position)
    expect(text).toMatch(/^[A-Za-z0-9_-]{86}$/)
  })

  it('is the same with every cipher that has the same secret, and can be decrypted by it', () => {
    expect(createCursorCipher(SECRET).encrypt(CONTEXT, POSITION)).toBe(encrypted)
    expect(createCursorCipher(SECRET).decrypt(CONTEXT, encrypted)).toEqual(POSITION)
  })

  it('does not resemble the encrypted position of the next millisecond', () => {
    const other = cipher.encrypt(CONTEXT, { ...POSITION, time: POSITION.time + 1 })
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
    '\0'.repeat(86),
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
