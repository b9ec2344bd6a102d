import { normalizeBaseUrl } from '../base/base-url.ts'
import { describeUrl } from '../base/describe.ts'
import { isObject } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'

/**
 * Returns the URL of the page, or of a worker's script, without a query; undefined if there is no page or
 * worker, such as on a server. Reads `location` instead of the base of the document, so that an injected
 * `<base>` cannot send tokens to another origin.
 */
const findPageUrl = (): URL | undefined => {
  const location: unknown = Reflect.get(globalThis, 'location')
  const href: unknown = isObject(location) ? Reflect.get(location, 'href') : undefined
  if (typeof href !== 'string' || !/^https?:/.test(href) || !URL.canParse(href)) return undefined
  const { origin, pathname } = new URL(href)
  return new URL(origin + pathname)
}

/**
 * Returns an absolute base URL without slashes at its end. Resolves a relative URL against the page.
 *
 * @throws TypeError for an invalid URL, for a relative URL if there is no page, and for a relative URL that
 * leads to another origin, such as `//other.example/graph`.
 */
export const resolveBaseUrl = (baseUrl: unknown): string => {
  const isRelative = typeof baseUrl === 'string' && baseUrl !== '' && !URL.canParse(baseUrl)
  if (!isRelative) return normalizeBaseUrl('createClient', baseUrl)
  const pageUrl = findPageUrl()
  if (pageUrl === undefined) {
    const expected = 'an absolute URL outside a web page, such as https://api.example/graph'
    throw usageError('createClient', 'baseUrl', expected, describeUrl(baseUrl))
  }
  const url = URL.canParse(baseUrl, pageUrl.href) ? new URL(baseUrl, pageUrl) : undefined
  if (url?.origin !== pageUrl.origin || url.username + url.password + url.search + url.hash !== '') {
    const expected = 'an absolute URL, or a path at the origin of the page without a query, such as /graph'
    throw usageError('createClient', 'baseUrl', expected, describeUrl(baseUrl))
  }
  return normalizeBaseUrl('createClient', url.href)
}
