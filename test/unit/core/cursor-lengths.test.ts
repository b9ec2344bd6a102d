import { isGraphError } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { createCursorCipher } from '../../../src/access/cursor-cipher.ts'
import { decodeCursor, encodeSignedCursor, encryptCursor } from '../../../src/core/cursor.ts'
import { encodeCursorPrefix } from '../../../src/core/cursor-letters.ts'
import type { ListPosition, PositionForm } from '../../../src/core/list-position.ts'

const LONGEST_PREFIX = 'p'.repeat(63)
const LONGEST_ID = `${LONGEST_PREFIX}-${'k'.repeat(190)}`
/** The public form of a named id: the encrypted key has 192 bytes and a tag of 16, in base64url. */
const LONGEST_PUBLIC_ID = `${LONGEST_PREFIX}-~${'A'.repeat(278)}`
const LONGEST_KEY = '\u{1F600}'.repeat(125)
const EARLIEST = -8.64e15

const LIST_KEY = '#photos photos chronological by key text'
const context = {
  cursorCipher: createCursorCipher('the secret of the cursors'),
  session: { viewer: LONGEST_ID, app: 'demo' },
  idMapper: { toPublic: () => LONGEST_PUBLIC_ID, toRaw: () => LONGEST_ID },
}

const bindingOf = (form: PositionForm) => ({
  edge: 'photos',
  order: 'chronological',
  listKey: LIST_KEY,
  appScoped: true,
  isSecret: false,
  form,
  ids: 'named' as const,
})

const POSITION = { time: EARLIEST, target: LONGEST_ID, key: LONGEST_KEY }

describe('the longest cursor', () => {
  it('has 1,172 characters if it is encrypted', () => {
    const cursor = encryptCursor(LIST_KEY, LONGEST_ID, POSITION, context)
    // A signature replaces the long id of the source. Blanks separate the four parts.
    const textBytes = 17 + 1 + 17 + 1 + 254 + 1 + 500
    const blocks = Math.ceil((2 + textBytes) / 64)
    expect(cursor.length).toBe(8 + 1 + Math.ceil(((24 + blocks * 64 + 16) * 4) / 3))
    expect(cursor.length).toBe(1172)
    const { from, onlySource } = decodeCursor('after', cursor, bindingOf('key'), context)
    expect([from, onlySource?.length]).toEqual([POSITION, 17])
  })

  it('has 1,172 characters even if the source is the longest id that no signature replaces', () => {
    const source = `${'p'.repeat(20)}-1`
    expect(encryptCursor(LIST_KEY, source, POSITION, context).length).toBe(1172)
  })

  it('has 1,047 characters if it is signed', () => {
    const cursor = encodeSignedCursor(encodeCursorPrefix(LIST_KEY), POSITION, context.idMapper, context)
    const keyLetters = Math.ceil((500 * 4) / 3)
    expect(cursor.length).toBe(8 + 10 + 1 + keyLetters + 1 + 1 + (63 + 2 + 278) + 16)
    expect(cursor.length).toBe(1047)
    expect(decodeCursor('after', cursor, bindingOf('key'), context).from).toEqual(POSITION)
  })
})

describe('an encrypted cursor', () => {
  const positions: { readonly [form in PositionForm]: ListPosition } = {
    time: { time: 5, target: 'photo-1' },
    key: { time: 5, target: 'photo-1', key: ' a  b ' },
    resolved: { position: 'a b' },
  }
  const forms = ['time', 'key', 'resolved'] as const

  it.each(forms)('of a position of the form %s is rejected for lists with positions of other forms', form => {
    const cursor = encryptCursor(LIST_KEY, 'photo-2', positions[form], context)
    for (const other of forms) {
      const decode = () => decodeCursor('after', cursor, bindingOf(other), context)
      if (other === form) expect(decode()).toEqual({ from: positions[form], onlySource: 'photo-2' })
      else expect(decode).toThrow(expect.toSatisfy(isGraphError))
    }
  })

  it.each(['', ' ', '  a', '#', 'a\n\u0000b', '\uFEFF'])('keeps the characters of the key %j', key => {
    const position = { time: 0, target: 'photo-1', key }
    const cursor = encryptCursor(LIST_KEY, '1', position, context)
    expect(decodeCursor('before', cursor, bindingOf('key'), context).from).toEqual(position)
  })

  it('of a graph with ids of another kind is rejected', () => {
    const cursor = encryptCursor(LIST_KEY, '1', { time: 0, target: '7' }, context)
    expect(() => decodeCursor('after', cursor, bindingOf('time'), context)).toThrow(
      'must be a cursor of photos',
    )
  })
})
