import type { ClientSettings } from './client-options.ts'
import type { Parameter } from './parameters.ts'

/** One read, as all ways to send it have it in common. */
export type RemoteRequest = {
  /** Below the base URL; begins with a slash. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Empty where the call has none. */
  readonly token: string
}

/** What proxies and servers of any kind let through. */
const LONGEST_URL = 2000

const encoded = (parameters: readonly Parameter[]): string =>
  new URLSearchParams(parameters.map(([name, text]): [string, string] => [name, text])).toString()

/** Where the parameters of a request are. */
type Carried = { readonly method: 'GET' | 'POST'; readonly url: string; readonly body: string | undefined }

const inForm = (url: string, parameters: readonly Parameter[]): Carried => ({
  method: 'POST',
  url,
  body: encoded([...parameters, ['method', 'get']]),
})

/** In the query, or in a form where the URL would get too long. */
const carried = (url: string, parameters: readonly Parameter[]): Carried => {
  const query = encoded(parameters)
  const whole = query === '' ? url : `${url}?${query}`
  return whole.length > LONGEST_URL ? inForm(url, parameters) : { method: 'GET', url: whole, body: undefined }
}

const withToken = ({ parameters, token }: RemoteRequest): readonly Parameter[] =>
  token === '' ? parameters : [...parameters, ['access_token', token]]

/** Answers are to be those of a call in-process, whose links are relative and carry no token. */
const HEADERS = { Accept: 'application/json', 'kithgraph-links': 'relative' }

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Where a redirection leads, nobody is known: it gets neither a token nor a say. */
const REDIRECT = { redirect: 'manual' } as const

/** A request of its own, for `fetch`. */
export const httpRequestOf = (
  { baseUrl, tokenPlace }: Pick<ClientSettings, 'baseUrl' | 'tokenPlace'>,
  request: RemoteRequest,
): readonly [url: string, init: RequestInit] => {
  const { path, parameters, token } = request
  const url = baseUrl + path
  const isInHeader = tokenPlace === 'header' && token !== ''
  // No header can carry other characters, and what refuses them would tell the token.
  const fitsHeader = /^[\x21-\x7e]+$/.test(token)
  const { body, ...sent } = !isInHeader
    ? carried(url, withToken(request))
    : fitsHeader
      ? carried(url, parameters)
      : inForm(url, withToken(request))
  const authorization = isInHeader && fitsHeader ? { Authorization: `Bearer ${token}` } : {}
  const headers = { ...HEADERS, ...authorization, ...(body !== undefined && FORM) }
  return [sent.url, { method: sent.method, headers, ...REDIRECT, ...(body !== undefined && { body }) }]
}

/** Several requests as one, each with its own token: none of them is read with the token of another. */
export const batchRequestOf = (
  { baseUrl }: Pick<ClientSettings, 'baseUrl'>,
  requests: readonly RemoteRequest[],
): readonly [url: string, init: RequestInit] => {
  const batch = requests.map(request => {
    const { method, url, body } = carried(request.path.slice(1), withToken(request))
    return { method, relative_url: url, ...(body !== undefined && { body }) }
  })
  const headers = { ...HEADERS, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ batch, include_headers: false })
  return [`${baseUrl}/`, { method: 'POST', headers, ...REDIRECT, body }]
}
