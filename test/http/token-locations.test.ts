import { describe, expect, it } from 'vitest'
import { computeProof } from '../../src/access/proof.ts'
import { ADA, GRACE } from '../helpers/world.ts'
import { createFormRequest, createJsonRequest, parseJson, serveWorld } from './served-world.ts'

const { send, graph, token } = await serveWorld()
const other = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })

const multipart = (fields: { readonly [name: string]: string }): RequestInit => {
  const body = new FormData()
  for (const [name, text] of Object.entries(fields)) body.append(name, text)
  return { method: 'POST', body }
}

const reasonOf = async (path: string, init: RequestInit = {}): Promise<string> =>
  parseJson(await send(path, init)).error.error_data.reason

const parameters = { method: 'get', access_token: token }

describe('the token of a request', () => {
  it.each<[string, string, RequestInit]>([
    ['the query', `/me?access_token=${token}`, {}],
    ['a Bearer header', '/me', { headers: { authorization: `Bearer ${token}` } }],
    ['an OAuth header', '/me', { headers: { authorization: `OAuth ${token}` } }],
    ['a header in lower case', '/me', { headers: { authorization: `bearer  ${token} ` } }],
    ['a form', '/me', createFormRequest(parameters)],
    [
      'a form without a type',
      '/me',
      { method: 'POST', body: new TextEncoder().encode(`${new URLSearchParams(parameters)}`) },
    ],
    ['a JSON body', '/me', createJsonRequest(parameters)],
    ['a multipart form', '/me', multipart(parameters)],
  ])('is read from %s', async (_, path, init) => {
    expect(parseJson(await send(path, init))).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('can be sent twice if both are equal', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const path = `/me?fields=id&access_token=${token}`
    expect(parseJson(await send(path, { headers }))).toEqual({ id: ADA })
    expect(parseJson(await send(path, createFormRequest(parameters)))).toEqual({ id: ADA })
    expect(parseJson(await send('/me?fields=id', { ...createFormRequest(parameters), headers }))).toEqual({
      id: ADA,
    })
  })

  it('is rejected together with a different token, and the error repeats neither', async () => {
    const headers = { authorization: `Bearer ${other}` }
    for (const [path, init] of [
      [`/me?access_token=${token}`, { headers }],
      [`/me?access_token=${other}`, createFormRequest(parameters)],
      [`/me?access_token=${token}&access_token=${other}`, {}],
      ['/me', { ...createFormRequest(parameters), headers }],
    ] as const) {
      const { status, text } = await send(path, init)
      expect(status).toBe(400)
      expect(JSON.parse(text).error.error_data).toMatchObject({ parameter: 'access_token' })
      expect(text).not.toContain(token)
      expect(text).not.toContain(other)
    }
  })

  it('counts as missing if it is empty, or has a scheme other than Bearer and OAuth', async () => {
    for (const path of ['/me', '/me?access_token=', '/me?access_token'])
      expect(await reasonOf(path)).toBe('token_missing')
    for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token])
      expect(await reasonOf('/me', { headers: { authorization } })).toBe('token_missing')
  })

  it('gets an error with the form of the header if the header has another form, without the token', async () => {
    for (const authorization of [token, `Basic ${token}`, `Bearer ${token} ${token}`]) {
      const { text } = await send('/me', { headers: { authorization } })
      expect(JSON.parse(text).error.message).toBe(
        '(#104) An access token is required to request this resource. The header has the form "Authorization: Bearer TOKEN"',
      )
      expect(text).not.toContain(token)
    }
    expect(parseJson(await send('/me')).error.message).toBe(
      '(#104) An access token is required to request this resource',
    )
  })

  it('is rejected if it is invalid or revoked', async () => {
    expect(await reasonOf('/me?access_token=nonsense')).toBe('token_invalid')
    const revoked = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    await graph.tokens.revoke(revoked)
    expect(await reasonOf(`/me?access_token=${revoked}`)).toBe('token_revoked')
  })

  it('can be an app token, which has no viewer', async () => {
    const headers = { authorization: 'OAuth demo|the secret of demo' }
    expect(await reasonOf('/me?access_token=demo%7Cthe%20secret%20of%20demo')).toBe('viewer_required')
    expect(await reasonOf('/me', { headers })).toBe('token_missing')
    expect(parseJson(await send(`/${ADA}?fields=id&access_token=demo%7Cthe+secret+of+demo`))).toEqual({
      id: ADA,
    })
  })
})

describe('the proof of possession of a request', () => {
  const proof = computeProof(token, 'the secret of demo')

  it('is read from the query or the body', async () => {
    const query = `/me?fields=id&access_token=${token}&appsecret_proof=${proof}`
    expect(parseJson(await send(query))).toEqual({ id: ADA })
    expect(
      parseJson(await send('/me?fields=id', createFormRequest({ ...parameters, appsecret_proof: proof }))),
    ).toEqual({
      id: ADA,
    })
  })

  it('causes an error on every route if it is invalid', async () => {
    for (const path of ['/me', '/me/friends', '/?ids=me', '/likes?ids=me', '/me/permissions', '/me/picture'])
      expect(
        await reasonOf(`${path}${path.includes('?') ? '&' : '?'}access_token=${token}&appsecret_proof=0`),
      ).toBe('proof_invalid')
    expect(await reasonOf(`/debug_token?input_token=${token}&access_token=${token}&appsecret_proof=0`)).toBe(
      'proof_invalid',
    )
  })

  it('is required on every route with requireProof', async () => {
    const strict = await serveWorld({ graph: { requireProof: true } })
    const strictProof = computeProof(strict.token, 'the secret of demo')
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
      expect(
        (await strict.sendAsAda(`${path}${separator}appsecret_proof=${strictProof}`)).status,
      ).toBeLessThan(400)
    }
  })
})
