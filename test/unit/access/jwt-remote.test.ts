import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGraph, createStaticAuth } from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ADA, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { reasonOf } from '../spec/clocked-world.ts'
import { jwkOf, now, type Pair, rsaPair, sign } from './jwt-issuer.ts'

const MINUTE = 60_000

const [first, second] = [rsaPair(), rsaPair()]
const signedBy = ({ alg, privateKey }: Pair, kid: string, claims = {}) =>
  sign(alg, privateKey, { sub: ADA, ...claims }, { kid })

/** What the server answers, and how often it was asked. */
const site = { status: 200, body: '', asked: 0, answers: true }

let server: Server
let url: string

const publish = async (keys: { readonly [kid: string]: Pair }): Promise<void> => {
  const jwks = await Promise.all(Object.entries(keys).map(([kid, pair]) => jwkOf(pair, { kid })))
  Object.assign(site, { status: 200, body: JSON.stringify({ keys: jwks }) })
}

beforeEach(async () => {
  Object.assign(site, { asked: 0, answers: true })
  await publish({ first })
  server = createServer((_, response) => {
    site.asked++
    if (site.answers) response.writeHead(site.status).end(site.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // Told by its type to be a path where the server listens to one.
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/keys`
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const open = async (options: { deadline?: number; issuer?: string } = {}) => {
  const { deadline = 10_000, issuer } = options
  const auth = [
    createStaticAuth({ t: { viewer: ADA, app: 'demo' } }),
    createJwtAuth({ jwks: url, now, issuer }),
  ]
  return createGraph(await worldStore(), { auth, limits: { deadline } })
}

describe('a set of keys that is published', () => {
  it('is fetched once for many tokens', async () => {
    const { getMe } = await open()
    const token = await signedBy(first, 'first')
    await Promise.all(Array.from({ length: 10 }, () => getMe(token)))
    expect(await getMe(token)).toMatchObject({ id: ADA })
    expect(site.asked).toBe(1)
  })

  it('is not fetched for tokens that no key of it could have signed', async () => {
    const { getMe, tokens } = await open({ issuer: 'https://id.example.org' })
    const own = await tokens.issue({ viewer: ADA, app: 'demo' })
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(own)).toMatchObject({ id: ADA })
    const foreign = await signedBy(first, 'first', { iss: 'https://other.example.org' })
    expect(await reasonOf(getMe(foreign))).toBe('token_unknown')
    expect(site.asked).toBe(0)
  })

  it('is fetched again for a key that it did not have, but for half a minute', async () => {
    const { getMe } = await open()
    expect(await getMe(await signedBy(first, 'first'))).toMatchObject({ id: ADA })
    await publish({ first, second })
    const token = await signedBy(second, 'second')
    expect(await reasonOf(getMe(token))).toBe('token_unknown')
    expect(site.asked).toBe(1)
    vi.setSystemTime(Date.now() + MINUTE / 2)
    expect(await getMe(token)).toMatchObject({ id: ADA })
    expect(site.asked).toBe(2)
  })

  it('is believed for ten minutes: then a key that was taken out is none', async () => {
    const { getMe } = await open()
    const token = await signedBy(first, 'first')
    expect(await getMe(token)).toMatchObject({ id: ADA })
    await publish({ second })
    vi.setSystemTime(Date.now() + 10 * MINUTE - 1)
    expect(await getMe(token)).toMatchObject({ id: ADA })
    vi.setSystemTime(Date.now() + 1)
    expect(await reasonOf(getMe(token))).toBe('token_unknown')
  })
})

describe('a set of keys that cannot be had is a transient fault, never an unknown token', () => {
  it.each([
    ['an error', 500, ''],
    ['no JSON', 200, '<html>'],
    ['no set of keys', 200, '{"keys":{}}'],
    ['somewhere else', 302, ''],
  ])('for the server answers %s', async (_, status, body) => {
    const { getMe, tokens } = await open()
    Object.assign(site, { status, body })
    const token = await signedBy(first, 'first')
    const fault = await faultOf(getMe(token))
    expect(fault).toMatchObject({ status: 503, code: 2, data: { reason: 'store_fault' } })
    expect(fault.cause).toBeInstanceOf(Error)
    expect(JSON.stringify(fault)).not.toContain('127.0.0.1')
    expect(await reasonOf(tokens.inspect(token))).toBe('store_fault')
    await publish({ first })
    expect(await getMe(token)).toMatchObject({ id: ADA })
  })

  it('for the server is down; tokens of other kinds go on', async () => {
    const { getMe, tokens } = await open()
    const own = await tokens.issue({ viewer: ADA, app: 'demo' })
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    expect(await reasonOf(getMe(await signedBy(first, 'first')))).toBe('store_fault')
    expect(await getMe('t')).toMatchObject({ id: ADA })
    expect(await getMe(own)).toMatchObject({ id: ADA })
  })

  it('for the server is silent: the deadline of the call ends it, and so does its signal', async () => {
    const hasty = await open({ deadline: 50 })
    const { getMe } = await open()
    site.answers = false
    const token = await signedBy(first, 'first')
    vi.useRealTimers()
    expect(await reasonOf(hasty.getMe(token))).toBe('deadline')
    expect(await reasonOf(getMe(token, { signal: AbortSignal.timeout(10) }))).toBe('aborted')
  })
})
