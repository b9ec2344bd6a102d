import { describeUrl } from './describe.ts'
import { usageError } from './usage-error.ts'

/**
 * Returns the base URL of a handler or a client without trailing slashes.
 *
 * @throws TypeError for a value that is not an http or https URL, or a URL with a user, a query or a
 * fragment.
 */
export const normalizeBaseUrl = (location: string, baseUrl: unknown): string => {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const isAbsolute = url !== undefined && /^https?:$/.test(url.protocol)
  if (!isAbsolute || url.username + url.password + url.search + url.hash !== '') {
    const expected = 'an absolute URL without a query or a password, such as https://api.example/graph'
    throw usageError(location, 'baseUrl', expected, describeUrl(baseUrl))
  }
  return url.href.replace(/\/+$/, '')
}
