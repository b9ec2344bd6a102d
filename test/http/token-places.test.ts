import { describe, expect, it } from 'vitest'
import { proofOf } from '../../src/access/proof.ts'
import { ADA, GRACE } from '../helpers/world.ts'
import { form, json, jsonOf, serveWorld } from './served-world.ts'

const { send, graph, token } = await serveWorld()
const other = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })

const multipart = (fields: { readonly [name: string]: string }): RequestInit => {
  const body = new FormData()
  for (const [name, text] of Object.entries(fields)) body.append(name, text)
  return { method: 'POST', body }
}

const reasonOf = async (path: string, init: RequestInit = {}): Promise<string> =>
  jsonOf(await send(path, init)).error.error_data.reason

const asked = { method: 'get', access_token: token }

describe('a token', () => {
  it.each<[string, string, RequestInit]>([
    ['the query', `/me?access_token=${token}`, {}],
    ['a Bearer header', '/me', { headers: { authorization: `Bearer ${token}` } }],
    ['an OAuth header', '/me', { headers: { authorization: `OAuth ${token}` } }],
    ['a header in other letters', '/me', { headers: { authorization: `bearer  ${token} ` } }],
    ['a form', '/me', form(asked)],
    [
      'a form without a type',
      '/me',
      { method: 'POST', body: new TextEncoder().encode(`${new URLSearchParams(asked)}`) },
    ],
    ['a JSON body', '/me', json(asked)],
    ['a multipart form', '/me', multipart(asked)],
  ])('may come in %s', async (_, path, init) => {
    expect(jsonOf(await send(path, init))).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('may come twice, if both are equal', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const path = `/me?fields=id&access_token=${token}`
    expect(jsonOf(await send(path, { headers }))).toEqual({ id: ADA })
    expect(jsonOf(await send(path, form(asked)))).toEqual({ id: ADA })
    expect(jsonOf(await send('/me?fields=id', { ...form(asked), headers }))).toEqual({ id: ADA })
  })

  it('is refused beside another, wherever the two are, and neither is told', async () => {
    const headers = { authorization: `Bearer ${other}` }
    for (const [path, init] of [
      [`/me?access_token=${token}`, { headers }],
      [`/me?access_token=${other}`, form(asked)],
      [`/me?access_token=${token}&access_token=${other}`, {}],
      ['/me', { ...form(asked), headers }],
    ] as const) {
      const { status, text } = await send(path, init)
      expect(status).toBe(400)
      expect(JSON.parse(text).error.error_data).toMatchObject({ parameter: 'access_token' })
      expect(text).not.toContain(token)
      expect(text).not.toContain(other)
    }
  })

  it('is missing where it is empty, of another scheme, or in the body of a GET', async () => {
    for (const path of ['/me', '/me?access_token=', '/me?access_token'])
      expect(await reasonOf(path)).toBe('token_missing')
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token])
      expect(await reasonOf('/me', { headers: { authorization } })).toBe('token_missing')
  })

  it('is judged as in-process', async () => {
    expect(await reasonOf('/me?access_token=nonsense')).toBe('token_unknown')
    const revoked = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    await graph.tokens.revoke(revoked)
    expect(await reasonOf(`/me?access_token=${revoked}`)).toBe('token_revoked')
  })

  it('may be an app’s own, which has no me', async () => {
    const headers = { authorization: 'OAuth demo|the secret of demo' }
    expect(await reasonOf('/me?access_token=demo%7Cthe%20secret%20of%20demo')).toBe('viewer_missing')
    expect(await reasonOf('/me', { headers })).toBe('token_missing')
    expect(jsonOf(await send(`/${ADA}?fields=id&access_token=demo%7Cthe+secret+of+demo`))).toEqual({
      id: ADA,
    })
  })
})

describe('a proof', () => {
  const proof = proofOf(token, 'the secret of demo')

  it('is taken from the query or the body', async () => {
    const query = `/me?fields=id&access_token=${token}&appsecret_proof=${proof}`
    expect(jsonOf(await send(query))).toEqual({ id: ADA })
    expect(jsonOf(await send('/me?fields=id', form({ ...asked, appsecret_proof: proof })))).toEqual({
      id: ADA,
    })
  })

  it('that is wrong is a fault, on every route', async () => {
    for (const path of ['/me', '/me/friends', '/?ids=me', '/likes?ids=me', '/me/permissions', '/me/picture'])
      expect(
        await reasonOf(`${path}${path.includes('?') ? '&' : '?'}access_token=${token}&appsecret_proof=0`),
      ).toBe('proof_invalid')
    expect(await reasonOf(`/debug_token?input_token=${token}&access_token=${token}&appsecret_proof=0`)).toBe(
      'proof_invalid',
    )
  })

  it('is compulsory where the graph says so, on every route', async () => {
    const strict = await serveWorld({ graph: { requireProof: true } })
    const strictProof = proofOf(strict.token, 'the secret of demo')
    for (const path of [
      '/me',
      '/me/friends',
      '/?ids=me',
      '/likes?ids=me',
      '/me/permissions',
      '/me/picture',
    ]) {
      expect(await strict.reasonOf(path)).toBe('proof_invalid')
      const separator = path.includes('?') ? '&' : '?'
      expect((await strict.ask(`${path}${separator}appsecret_proof=${strictProof}`)).status).toBeLessThan(400)
    }
  })
})
