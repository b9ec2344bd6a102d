import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGraph, createStaticAuth } from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ADA, createWorldStore } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { catchReason } from '../spec/clocked-world.ts'
import { createRsaPair, type KeyPair, now, sign, toJwk } from './jwt-issuer.ts'

const MINUTE = 60_000

const [first, second] = [createRsaPair(), createRsaPair()]
const signWithPair = ({ alg, privateKey }: KeyPair, kid: string, claims = {}) =>
  sign(alg, privateKey, { sub: ADA, ...claims }, { kid })

/** The response of the server, and the number of requests that it received. */
const site = { status: 200, body: '', requestCount: 0, responds: true }

let server: Server
let url: string

const publish = async (keys: { readonly [kid: string]: KeyPair }): Promise<void> => {
  const jwks = await Promise.all(Object.entries(keys).map(([kid, pair]) => toJwk(pair, { kid })))
  Object.assign(site, { status: 200, body: JSON.stringify({ keys: jwks }) })
}

beforeEach(async () => {
  Object.assign(site, { requestCount: 0, responds: true })
  await publish({ first })
  server = createServer((_, response) => {
    site.requestCount++
    if (site.responds) response.writeHead(site.status).end(site.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The type of the address includes strings, for servers that listen on a path.
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/keys`
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const open = async (options: { timeoutMs?: number; issuer?: string } = {}) => {
  const { timeoutMs = 10_000, issuer } = options
  const auth = [
    createStaticAuth({ t: { viewer: ADA, app: 'demo' } }),
    createJwtAuth({ jwks: url, now, issuer }),
  ]
  return createGraph(await createWorldStore(), { auth, limits: { timeoutMs } })
}

describe('a published key set', () => {
  it('is fetched once for many tokens', async () => {
    const { getMe } = await open()
    const token = await signWithPair(first, 'first')
    await Promise.all(Array.from({ length: 10 }, () => getMe(token)))
    expect(await getMe(token)).toMatchObject({ id: ADA })
    expect(site.requestCount).toBe(1)
  })

  it('is not fetched for tokens of other kinds or issuers', async () => {
    const { getMe, tokens } = await open({ issuer: 'https://id.example.org' })
    const own = await tokens.issue({ viewer: ADA, app: 'demo' })
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(own)).toMatchObject({ id: ADA })
    const foreign = await signWithPair(first, 'first', { iss: 'https://other.example.org' })
    expect(await catchReason(getMe(foreign))).toBe('token_invalid')
    expect(site.requestCount).toBe(0)
  })

  it('is fetched again for an unknown key, but only after half a minute', async () => {
    const { getMe } = await open()
    expect(await getMe(await signWithPair(first, 'first'))).toMatchObject({ id: ADA })
    await publish({ first, second })
    const token = await signWithPair(second, 'second')
    expect(await catchReason(getMe(token))).toBe('token_invalid')
    expect(site.requestCount).toBe(1)
    vi.setSystemTime(Date.now() + MINUTE / 2)
    expect(await getMe(token)).toMatchObject({ id: ADA })
    expect(site.requestCount).toBe(2)
  })

  it('is fetched again after ten minutes, so that tokens of a removed key are rejected', async () => {
    const { getMe } = await open()
    const token = await signWithPair(first, 'first')
    expect(await getMe(token)).toMatchObject({ id: ADA })
    await publish({ second })
    vi.setSystemTime(Date.now() + 10 * MINUTE - 1)
    expect(await getMe(token)).toMatchObject({ id: ADA })
    vi.setSystemTime(Date.now() + 1)
    expect(await catchReason(getMe(token))).toBe('token_invalid')
  })
})

describe('an unavailable key set', () => {
  it.each([
    ['an error', 500, ''],
    ['text that is not JSON', 200, '<html>'],
    ['JSON that is not a key set', 200, '{"keys":{}}'],
    ['a redirect', 302, ''],
  ])('causes a transient error if the server returns %s', async (_, status, body) => {
    const { getMe, tokens } = await open()
    Object.assign(site, { status, body })
    const token = await signWithPair(first, 'first')
    const error = await expectGraphError(getMe(token))
    expect(error).toMatchObject({ status: 503, code: 2, reason: 'store_error' })
    expect(error.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(error)).not.toContain('127.0.0.1')
    expect(await catchReason(tokens.inspect(token))).toBe('store_error')
    await publish({ first })
    expect(await getMe(token)).toMatchObject({ id: ADA })
  })

  it('causes a transient error if the server is down, but not for tokens of other kinds', async () => {
    const { getMe, tokens } = await open()
    const own = await tokens.issue({ viewer: ADA, app: 'demo' })
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    expect(await catchReason(getMe(await signWithPair(first, 'first')))).toBe('store_error')
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(own)).toMatchObject({ id: ADA })
  })

  it('does not delay the timeout or abort of a call if the server does not respond', async () => {
    const impatient = await open({ timeoutMs: 50 })
    const { getMe } = await open()
    site.responds = false
    const token = await signWithPair(first, 'first')
    vi.useRealTimers()
    expect(await catchReason(impatient.getMe(token))).toBe('timeout')
    expect(await catchReason(getMe(token, { signal: AbortSignal.timeout(10) }))).toBe('aborted')
  })
})
