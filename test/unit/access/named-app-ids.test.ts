import { createAppIds } from 'kithgraph/app-ids'
import { describe, expect, it } from 'vitest'
import { isPublicId, isPublicIdOfKind } from '../../../src/access/app-ids/app-ids.ts'

const FIRST = 'the first secret of all'
const SECOND = 'the second secret of all'
const oldIds = createAppIds({ secrets: { 1: FIRST }, current: 1 })
const newIds = createAppIds({ secrets: { 1: FIRST, 2: SECOND }, current: 2 })
const chess = oldIds.forApp('chess')
const ofKey = (length: number): string => `photo-${'k'.repeat(length)}`

describe('the public id of a named id', () => {
  it.each(['photo-1', 'photo-a-~b', 'revision-42~3', 'tag-.', 'tag-.c3.a8', ofKey(190)])(
    'is mapped back to the raw id: %s',
    id => {
      const publicId = chess.toPublic(id)
      expect(publicId).toMatch(/^[a-z]+-~1[A-Za-z0-9_-]+$/)
      expect(
        createAppIds({ secrets: { 1: FIRST }, current: 1 })
          .forApp('chess')
          .toRaw(publicId),
      ).toBe(id)
    },
  )

  it('is the same in every process that has the same secret', () => {
    // The id is a literal, because a changed derivation would break every id that an app has stored.
    expect(chess.toPublic('photo-42')).toBe('photo-~1XF-F0Cv17SmXrY2b2UyCVRC8pSbTQ1XglXQf-qm4W64')
    expect(oldIds.forApp('chess').toPublic('photo-42')).toBe(chess.toPublic('photo-42'))
  })

  it('has one of three lengths, whatever the length of the key', () => {
    const lengths = Array.from({ length: 190 }, (_, index) => chess.toPublic(ofKey(index + 1)).length)
    expect([...new Set(lengths)]).toEqual([
      'photo-~1'.length + 43,
      'photo-~1'.length + 86,
      'photo-~1'.length + 278,
    ])
    expect(lengths.lastIndexOf(lengths[0] ?? 0)).toBe(15)
    expect(lengths.lastIndexOf('photo-~1'.length + 86)).toBe(47)
  })

  it('is mapped to no node with another character, type, app or secret', () => {
    const publicId = chess.toPublic('photo-42')
    for (const [index, character] of [...publicId].entries()) {
      const forged = publicId.slice(0, index) + (character === 'A' ? 'B' : 'A') + publicId.slice(index + 1)
      expect(chess.toRaw(forged)).toBeUndefined()
    }
    expect(chess.toRaw(publicId.replace('photo', 'album'))).toBeUndefined()
    expect(chess.toRaw(`${publicId}A`)).toBeUndefined()
    expect(chess.toRaw(publicId.slice(0, -1))).toBeUndefined()
    expect(oldIds.forApp('calendar').toRaw(publicId)).toBeUndefined()
    const other = createAppIds({ secrets: { 1: SECOND }, current: 1 }).forApp('chess')
    expect(other.toRaw(publicId)).toBeUndefined()
  })

  it('shows nothing of a common beginning of two keys', () => {
    const [a, b] = ['photo-1000', 'photo-1001'].map(id => chess.toPublic(id).slice('photo-~1'.length))
    expect(a?.slice(0, 8)).not.toBe(b?.slice(0, 8))
    expect(a?.slice(-8)).not.toBe(b?.slice(-8))
  })

  it('stays valid after a change of the key, while its secret is configured', () => {
    const before = chess.toPublic('photo-42')
    const rotated = newIds.forApp('chess')
    expect(rotated.toRaw(before)).toBe('photo-42')
    expect(rotated.toPublic('photo-42')).toMatch(/^photo-~2/)
    expect(rotated.toRaw(rotated.toPublic('photo-42'))).toBe('photo-42')
    const later = createAppIds({ secrets: { 2: SECOND }, current: 2 }).forApp('chess')
    expect(later.toRaw(before)).toBeUndefined()
    expect(chess.toRaw(rotated.toPublic('photo-42'))).toBeUndefined()
  })
})

it('a raw id never has the form of a public id, and a public id never that of a raw id of its kind', () => {
  for (const id of ['photo-42', 'photo-a-~b', 'photo-.7e', '42']) expect(isPublicId(id)).toBe(false)
  const publicIds = [chess.toPublic('photo-42'), chess.toPublic('42')] as const
  expect(publicIds.map(isPublicId)).toEqual([true, true])
  expect(publicIds.map(id => isPublicIdOfKind('named', id))).toEqual([true, false])
  expect(publicIds.map(id => isPublicIdOfKind('digits', id))).toEqual([false, true])
})

it.each(['-~1', '~1', 'photo-~', 'photo-~1', 'photo-~0AA', `photo-~1${'A'.repeat(1_000_000)}`, 'Photo-~1A'])(
  'a text that nearly has the form of a public id is mapped to no node (%#)',
  text => {
    expect(chess.toRaw(text)).toBeUndefined()
  },
)
