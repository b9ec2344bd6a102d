/**
 * Tests a service that calls a Graph API. The API runs on a local port:
 *
 *     npx tsx --test examples/test-double/birthdays.test.ts
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listBirthdays, SignInRequiredError } from './birthdays.ts'
import { startGraphDouble } from './graph-double.ts'

const FRIENDS = [
  { name: 'Dora', birthday: '1990-11-30' },
  { name: 'Abe', birthday: '1985-02-12' },
  { name: 'Sol' },
  { name: 'Bea', birthday: '2001-07-04' },
  { name: 'Cy', birthday: '1979-07-05' },
]
const SCOPES = ['user_friends', 'user_birthday']

test('reads birthdays from all pages, sorted by day of the year', async () => {
  await using double = await startGraphDouble(FRIENDS)
  const token = await double.issueToken(SCOPES)
  assert.deepEqual(await listBirthdays({ ...double, token }), [
    { name: 'Abe', day: '02/12' },
    { name: 'Bea', day: '07/04' },
    { name: 'Cy', day: '07/05' },
    { name: 'Dora', day: '11/30' },
  ])
  assert.equal(double.countRequests(), 3)
})

test('needs one request for a person without friends', async () => {
  await using double = await startGraphDouble([])
  assert.deepEqual(await listBirthdays({ ...double, token: await double.issueToken(SCOPES) }), [])
  assert.equal(double.countRequests(), 1)
})

test('reads no birthdays without the scope', async () => {
  await using double = await startGraphDouble(FRIENDS)
  const token = await double.issueToken(['user_friends'])
  assert.deepEqual(await listBirthdays({ ...double, token }), [])
})

test('requires a new sign-in after the token was revoked', async () => {
  await using double = await startGraphDouble(FRIENDS)
  const token = await double.issueToken(SCOPES)
  await double.revokeToken(token)
  await assert.rejects(listBirthdays({ ...double, token }), SignInRequiredError)
})

test('retries after a rate limit that ends', async () => {
  await using double = await startGraphDouble(FRIENDS)
  const token = await double.issueToken(SCOPES)
  double.rejectNext(1)
  assert.equal((await listBirthdays({ ...double, token })).length, 4)
  assert.equal(double.countRequests(), 4)
})

test('throws after three requests if the rate limit does not end', async () => {
  await using double = await startGraphDouble(FRIENDS)
  const token = await double.issueToken(SCOPES)
  double.rejectNext(10)
  await assert.rejects(listBirthdays({ ...double, token }), /request limit reached/)
  assert.equal(double.countRequests(), 3)
})
