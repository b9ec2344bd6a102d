import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertySettings } from '../property/property-settings.ts'
import { type Call, calls, toQuery } from './call-arbitraries.ts'
import {
  createFormRequest,
  createJsonRequest,
  ORIGIN,
  serveWorld,
  type TextResponse,
} from './served-world.ts'

const { send, token } = await serveWorld()

const RELATIVE = { 'kithgraph-links': 'relative' }

type ResponseSummary = { readonly status: number; readonly body: string }

const withoutTraceIds = (text: string): string => text.replaceAll(/[0-9a-f]{16}(?="\s*\})/g, '')

const summarizeResponse = ({ status, text }: Pick<TextResponse, 'status' | 'text'>): ResponseSummary => ({
  status,
  body: withoutTraceIds(text),
})

/** Returns the response of the only request in a batch. */
const itemOf = ({ text }: TextResponse): ResponseSummary => {
  const [{ code, body }]: [{ code: number; body: string }] = JSON.parse(text)
  return summarizeResponse({ status: code, text: body })
}

const withToken = (headers: { readonly [name: string]: string }, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { ...headers, ...(init.body instanceof URLSearchParams ? {} : init.headers), ...RELATIVE },
})

const bearer = { authorization: `Bearer ${token}` }
const oauth = { authorization: `OAuth ${token}` }

/** Ways to send the same call. A body contains the method. */
const WAYS: { readonly [way: string]: (call: Call) => Promise<ResponseSummary> } = {
  'a token in the query': async ({ path, parameters }) =>
    summarizeResponse(
      await send(`${path}?${toQuery({ ...parameters, access_token: token })}`, withToken({})),
    ),
  'an OAuth header': async ({ path, parameters }) =>
    summarizeResponse(await send(`${path}?${toQuery(parameters)}`, withToken(oauth))),
  'a form': async ({ path, parameters }) =>
    summarizeResponse(
      await send(path, withToken(bearer, createFormRequest({ ...parameters, method: 'GET' }))),
    ),
  'a form and a query': async ({ path, parameters }) =>
    summarizeResponse(
      await send(
        `${path}?${toQuery(parameters)}`,
        withToken({}, createFormRequest({ access_token: token, method: 'get' })),
      ),
    ),
  'a JSON body': async ({ path, parameters }) =>
    summarizeResponse(
      await send(
        path,
        withToken({}, createJsonRequest({ ...parameters, access_token: token, method: 'get' })),
      ),
    ),
  'an absolute URL': async ({ path, parameters }) =>
    summarizeResponse(
      await send(`${new URL(`${ORIGIN}${path}`).pathname}?${toQuery(parameters)}`, withToken(bearer)),
    ),
  'a batch': async ({ path, parameters }) => {
    const batch = JSON.stringify([{ method: 'GET', relative_url: `${path.slice(1)}?${toQuery(parameters)}` }])
    return itemOf(await send('/', withToken(bearer, createFormRequest({ batch }))))
  },
  'a batch of a form': async ({ path, parameters }) => {
    const body = toQuery({ ...parameters, access_token: token, method: 'get' })
    const batch = JSON.stringify([{ method: 'POST', relative_url: path, body }])
    return itemOf(await send('/', withToken({}, createFormRequest({ batch }))))
  },
}

/** Whether a call cannot be part of a batch. */
const hasNoBatchForm = ({ path }: Call): boolean => /openapi\.json|default-picture\.svg/.test(path)

describe('a request in an equivalent form', () => {
  it.each(Object.entries(WAYS))('has the response of GET with a Bearer token: %s', async (way, sendAsAda) => {
    await fc.assert(
      fc.asyncProperty(calls, async call => {
        fc.pre(!('method' in call.parameters || 'access_token' in call.parameters))
        fc.pre(!(hasNoBatchForm(call) && way.startsWith('a batch')))
        const plain = summarizeResponse(
          await send(`${call.path}?${toQuery(call.parameters)}`, withToken(bearer)),
        )
        expect(await sendAsAda(call)).toEqual(plain)
      }),
      propertySettings(100, 2000),
    )
  })
})
