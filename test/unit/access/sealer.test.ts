import { describe, expect, it } from 'vitest'
import { createSealer } from '../../../src/access/sealer.ts'

const HEAD = 'cGhvdG9zOnI6'
const SECRET = 'the secret of the graph'
const MARK = { time: 1_400_000_000_000, target: '4', source: '7' }
const LATEST = 8.64e15

const sealer = createSealer(SECRET)
const seal = sealer.seal(HEAD, MARK)

/** All texts that differ from one in one bit of what it encodes. */
const bitFlips = (text: string): string[] => {
  const bytes = Buffer.from(text, 'base64url')
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return flipped.toString('base64url')
  })
}

describe('a seal', () => {
  it.each([
    MARK,
    { time: 0, target: '1', source: '9223372036854775807' },
    { time: -1, target: '9223372036854775807', source: '1' },
    { time: LATEST, target: '9007199254740993', source: '2' },
    { time: -LATEST, target: '1000000000000000000', source: '3' },
  ])('of $time, $target and $source opens to them, and is as long as every other', mark => {
    const sealed = sealer.seal(HEAD, mark)
    expect(sealer.unseal(HEAD, sealed)).toEqual(mark)
    expect(sealed).toMatch(/^[A-Za-z0-9_-]{86}$/)
  })

  it('of the same mark is the same, in every process that has the secret', () => {
    expect(createSealer(SECRET).seal(HEAD, MARK)).toBe(seal)
    expect(createSealer(SECRET).unseal(HEAD, seal)).toEqual(MARK)
  })

  it('of another mark, even the next, has nothing in common with it', () => {
    const other = sealer.seal(HEAD, { ...MARK, time: MARK.time + 1 })
    const same = [...seal].filter((char, index) => char === other[index])
    expect(same.length).toBeLessThan(12)
  })

  it.each(['', 'cGhvdG9zOmM6', `${HEAD} `])('does not open under another head: %o', head => {
    expect(sealer.unseal(head, seal)).toBeUndefined()
  })

  it('does not open with another secret, and not with none', () => {
    expect(createSealer('another secret').unseal(HEAD, seal)).toBeUndefined()
    expect(createSealer(undefined).unseal(HEAD, seal)).toBeUndefined()
  })

  it('does not open with any bit changed', () => {
    for (const text of bitFlips(seal)) expect(sealer.unseal(HEAD, text)).toBeUndefined()
  })

  it.each([
    '',
    'x',
    seal.slice(1),
    `${seal}A`,
    `${seal}=`,
    ` ${seal}`,
    `${seal.slice(0, -1)}ä`,
    '\0'.repeat(86),
  ])('does not open as %o', text => {
    expect(sealer.unseal(HEAD, text)).toBeUndefined()
  })

  it('has one spelling', () => {
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...last].filter(char => sealer.unseal(HEAD, seal.slice(0, -1) + char) !== undefined)
    expect(spellings).toEqual([seal.at(-1)])
  })

  it('is looked for in a long text at once', () => {
    const started = performance.now()
    // To look at each character would take seconds.
    expect(sealer.unseal(HEAD, 'A'.repeat(2 ** 28))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe.each([[undefined], ['']])('without a secret (%o)', secret => {
  it('a seal opens where it was made, and nowhere else', () => {
    const here = createSealer(secret)
    expect(here.unseal(HEAD, here.seal(HEAD, MARK))).toEqual(MARK)
    expect(createSealer(secret).unseal(HEAD, here.seal(HEAD, MARK))).toBeUndefined()
  })
})
