import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settings } from '../property/settings.ts'
import { type Call, calls, queryOf } from './call-arbitraries.ts'
import { form, json, ORIGIN, type Reply, serveWorld } from './served-world.ts'

const { send, token } = await serveWorld()

const RELATIVE = { 'kithgraph-links': 'relative' }

type Asked = { readonly status: number; readonly body: string }

const timeless = (text: string): string => text.replaceAll(/[0-9a-f]{16}(?="\s*\})/g, '')

const shown = ({ status, text }: Pick<Reply, 'status' | 'text'>): Asked => ({ status, body: timeless(text) })

/** What the only request of a batch got. */
const itemOf = ({ text }: Reply): Asked => {
  const [{ code, body }]: [{ code: number; body: string }] = JSON.parse(text)
  return shown({ status: code, text: body })
}

const withToken = (headers: { readonly [name: string]: string }, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { ...headers, ...(init.body instanceof URLSearchParams ? {} : init.headers), ...RELATIVE },
})

const bearer = { authorization: `Bearer ${token}` }
const oauth = { authorization: `OAuth ${token}` }

/** Ways to ask the same. Those with a body say the method in it. */
const WAYS: { readonly [way: string]: (call: Call) => Promise<Asked> } = {
  'a token in the query': async ({ path, parameters }) =>
    shown(await send(`${path}?${queryOf({ ...parameters, access_token: token })}`, withToken({}))),
  'an OAuth header': async ({ path, parameters }) =>
    shown(await send(`${path}?${queryOf(parameters)}`, withToken(oauth))),
  'a form': async ({ path, parameters }) =>
    shown(await send(path, withToken(bearer, form({ ...parameters, method: 'GET' })))),
  'a form and a query': async ({ path, parameters }) =>
    shown(
      await send(
        `${path}?${queryOf(parameters)}`,
        withToken({}, form({ access_token: token, method: 'get' })),
      ),
    ),
  'a JSON body': async ({ path, parameters }) =>
    shown(await send(path, withToken({}, json({ ...parameters, access_token: token, method: 'get' })))),
  'an absolute URL': async ({ path, parameters }) =>
    shown(await send(`${new URL(`${ORIGIN}${path}`).pathname}?${queryOf(parameters)}`, withToken(bearer))),
  'a batch': async ({ path, parameters }) => {
    const batch = JSON.stringify([{ method: 'GET', relative_url: `${path.slice(1)}?${queryOf(parameters)}` }])
    return itemOf(await send('/', withToken(bearer, form({ batch }))))
  },
  'a batch of a form': async ({ path, parameters }) => {
    const body = queryOf({ ...parameters, access_token: token, method: 'get' })
    const batch = JSON.stringify([{ method: 'POST', relative_url: path, body }])
    return itemOf(await send('/', withToken({}, form({ batch }))))
  },
}

/** What no batch may ask for. */
const isAlone = ({ path }: Call): boolean => /openapi\.json|silhouette\.svg/.test(path)

describe('the same call has the same answer', () => {
  it.each(Object.entries(WAYS))('by %s', async (way, ask) => {
    await fc.assert(
      fc.asyncProperty(calls, async call => {
        fc.pre(!('method' in call.parameters || 'access_token' in call.parameters))
        fc.pre(!(isAlone(call) && way.startsWith('a batch')))
        const plain = shown(await send(`${call.path}?${queryOf(call.parameters)}`, withToken(bearer)))
        expect(await ask(call)).toEqual(plain)
      }),
      settings(100, 2000),
    )
  })
})
