import { assertEqual, assertTypeError } from '../assertions.ts'
import { createToken } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const TOKEN = createToken('demo', {
  viewer: '9223372036854775807',
  scopes: ['user_photos', 'email'],
  issuedAt: 1_700_000_000_000,
  expiresAt: 1_800_000_000_000,
  revokedAt: 0,
  generation: 'q83vEjRWeJA',
  viewerType: 'user',
})

/** A token record from a later version of the library, with members that current stores do not know. */
const TOKEN_WITH_UNKNOWN_MEMBERS = {
  ...TOKEN,
  claims: { org_id: 7, roles: ['admin', null], __proto: { nested: [{ deep: true }] } },
  declined: ['email'],
  note: null,
  rank: 0,
}

/** Half of a surrogate pair, which UTF-8 cannot encode. */
const LONE_SURROGATE = 'abc\ud800'

export const describeTokens = ({ test, writeTest }: StoreSuite): void => {
  test('a token is returned as it was put, with its scopes in order', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    assertEqual(await store.readToken('abc'), TOKEN, 'the token')
  })

  test('every member of a token is kept, even an unknown member', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN_WITH_UNKNOWN_MEMBERS })
    assertEqual(await store.readToken('abc'), TOKEN_WITH_UNKNOWN_MEMBERS, 'the token')
  })

  writeTest('a token that is put again without a member no longer has this member', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN_WITH_UNKNOWN_MEMBERS })
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    assertEqual(await store.readToken('abc'), TOKEN, 'the token')
  })

  test('a token that is put without a viewer, an expiry and scopes is returned without them', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: createToken('demo') })
    assertEqual(await store.readToken('abc'), createToken('demo'), 'the token')
  })

  test('times of a token may be 0, negative and in the past', async store => {
    for (const time of [0, -1]) {
      const token = createToken('demo', { issuedAt: time, expiresAt: time - 1, revokedAt: time })
      await store.write({ op: 'putToken', digest: `${time}`, token })
      assertEqual(await store.readToken(`${time}`), token, `the token of ${time}`)
    }
  })

  test('the viewer of a token may have an id of either kind', async store => {
    for (const viewer of ['1', 'account-0190f3c2~b']) {
      const token = createToken('demo', { viewer })
      await store.write({ op: 'putToken', digest: viewer, token })
      assertEqual(await store.readToken(viewer), token, `the token of ${viewer}`)
    }
  })

  writeTest('a token that is put again replaces the old one', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'putToken', digest: 'abc', token: createToken('other', { revokedAt: 5 }) })
    assertEqual(await store.readToken('abc'), createToken('other', { revokedAt: 5 }), 'the token')
  })

  test('tokens are returned by position, and only for exactly equal digests', async store => {
    await store.write(
      { op: 'putToken', digest: 'abc', token: createToken('lower') },
      { op: 'putToken', digest: 'ABC', token: createToken('upper') },
    )
    const { tokens } = await store.read({ tokens: ['ABC', 'ab', 'abc'] })
    assertEqual(tokens, [createToken('upper'), undefined, createToken('lower')], 'the tokens')
  })

  writeTest('a digest with a lone surrogate causes a TypeError in a write and in a read', async store => {
    const calls = [
      () => store.write({ op: 'putToken', digest: LONE_SURROGATE, token: TOKEN }),
      () => store.write({ op: 'deleteToken', digest: LONE_SURROGATE }),
      () => store.readToken(LONE_SURROGATE),
    ]
    for (const call of calls) await assertTypeError(call, 'the digest')
  })

  writeTest('a deleted token does not exist, and a missing token may be deleted', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'deleteToken', digest: 'abc' }, { op: 'deleteToken', digest: 'never' })
    assertEqual(await store.readToken('abc'), undefined, 'the token')
  })

  writeTest('a token does not depend on the node of its viewer', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'deleteNode', id: '9223372036854775807' })
    assertEqual(await store.readToken('abc'), TOKEN, 'the token')
  })
}
