import { assertEqual } from '../assertions.ts'
import { tokenOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const TOKEN = tokenOf('demo', {
  viewer: '9223372036854775807',
  scopes: ['user_photos', 'email'],
  issuedAt: 1_700_000_000_000,
  expiresAt: 1_800_000_000_000,
  revokedAt: 0,
  generation: 'q83vEjRWeJA',
  viewerType: 'user',
})

/** A token record of a later version of the library: with members that no store of today knows. */
const LATER = {
  ...TOKEN,
  claims: { org_id: 7, roles: ['admin', null], __proto: { nested: [{ deep: true }] } },
  declined: ['email'],
  note: null,
  rank: 0,
}

export const describeTokens = ({ test }: StoreSuite): void => {
  test('a token put is answered as it was, the order of its scopes included', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    assertEqual(await store.token('abc'), TOKEN, 'the token')
  })

  test('every member of a token is kept, also one that no store knows', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: LATER })
    assertEqual(await store.token('abc'), LATER, 'the token')
  })

  test('a token put again without a member no longer has it', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: LATER })
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    assertEqual(await store.token('abc'), TOKEN, 'the token')
  })

  test('a token without a viewer, an expiry and scopes has none', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: tokenOf('demo') })
    assertEqual(await store.token('abc'), tokenOf('demo'), 'the token')
  })

  test('times of a token may be 0, below it and long over', async store => {
    for (const time of [0, -1]) {
      const token = tokenOf('demo', { issuedAt: time, expiresAt: time - 1, revokedAt: time })
      await store.write({ op: 'putToken', digest: `${time}`, token })
      assertEqual(await store.token(`${time}`), token, `the token of ${time}`)
    }
  })

  test('a token put again replaces the one before', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'putToken', digest: 'abc', token: tokenOf('other', { revokedAt: 5 }) })
    assertEqual(await store.token('abc'), tokenOf('other', { revokedAt: 5 }), 'the token')
  })

  test('tokens are answered by position, under exactly their digest', async store => {
    await store.write(
      { op: 'putToken', digest: 'abc', token: tokenOf('lower') },
      { op: 'putToken', digest: 'ABC', token: tokenOf('upper') },
    )
    const { tokens } = await store.read({ tokens: ['ABC', 'ab', 'abc'] })
    assertEqual(tokens, [tokenOf('upper'), undefined, tokenOf('lower')], 'the tokens')
  })

  test('a token deleted is gone, and one that never was may be deleted', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'deleteToken', digest: 'abc' }, { op: 'deleteToken', digest: 'never' })
    assertEqual(await store.token('abc'), undefined, 'the token')
  })

  test('a token needs no node of its viewer, and outlives it', async store => {
    await store.write({ op: 'putToken', digest: 'abc', token: TOKEN })
    await store.write({ op: 'deleteNode', id: '9223372036854775807' })
    assertEqual(await store.token('abc'), TOKEN, 'the token')
  })
}
