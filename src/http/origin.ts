import { badParameter } from '../base/faults.ts'
import { headerOf, type WireRequest } from './wire.ts'

const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
const ABSOLUTE = /^(https?):\/\/([^/?#]*)/i

const firstOf = (header: string | undefined): string | undefined => header?.split(',')[0]?.trim() || undefined

/**
 * Where a request was sent to, such as `https://api.example`: what absolute links begin with. Undefined where the request
 * does not say. What proxies say of it counts only if they are trusted, since anybody can send such headers.
 *
 * @throws GraphError `bad_parameter` for a host that is none.
 */
export const originOf = (request: WireRequest, trustProxy: boolean): string | undefined => {
  const [, scheme, authority] = ABSOLUTE.exec(request.url) ?? []
  const forwarded = (name: string): string | undefined =>
    trustProxy ? firstOf(headerOf(request, `x-forwarded-${name}`)) : undefined
  const host = forwarded('host') ?? authority ?? headerOf(request, 'host')
  if (host === undefined || host === '') return undefined
  if (!HOST.test(host)) throw badParameter('host', 'a host name, with a port or without', 'another text')
  const proto = forwarded('proto')?.toLowerCase() ?? scheme?.toLowerCase() ?? 'http'
  if (proto !== 'http' && proto !== 'https')
    throw badParameter('x-forwarded-proto', 'http or https', 'another text')
  return `${proto}://${host}`
}

/** What of a URL comes behind its origin: the path, and the query without its question mark. */
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const below = url.startsWith('/') ? url : url.replace(ABSOLUTE, '')
  const hash = below.indexOf('#')
  const end = hash < 0 ? below.length : hash
  const mark = below.indexOf('?')
  return mark < 0 || mark > end
    ? { path: below.slice(0, end), query: '' }
    : { path: below.slice(0, mark), query: below.slice(mark + 1, end) }
}
