import { stripWhiteSpace } from '../../../fields/strip.ts'
import { parsePath, printPath, withoutSecrets } from './target.ts'

/** All that a request to the graph says but for its token. */
export type Query = { readonly version: string; readonly path: string; readonly fields: string }

/** The path below the graph's own: version, where there is one, target, parameters and fields. */
export const requestPath = ({ version, path, fields }: Query): string => {
  const target = parsePath(path)
  const asked = stripWhiteSpace(fields)
  const query = new URLSearchParams()
  for (const [name, value] of target.parameters) query.append(name, value)
  if (asked !== '') query.append('fields', asked)
  const place = printPath({ ...target, parameters: [] })
    .split('/')
    .map(encodeURIComponent)
    .join('/')
  return `${version === '' ? '' : `/${version}`}/${place}${query.size === 0 ? '' : `?${query}`}`
}

/** Whether two queries ask the same. */
export const isSameQuery = (a: Query, b: Query): boolean => requestPath(a) === requestPath(b)

/** A query as the fragment of a URL, to be shared. */
export const toFragment = ({ version, path, fields }: Query): string => {
  const shared = new URLSearchParams({ path: withoutSecrets(path), version })
  if (fields !== '') shared.set('fields', fields)
  return `#${shared}`
}

/** The query of a shared URL; undefined for a fragment that is none. */
export const fromFragment = (fragment: string): Partial<Query> | undefined => {
  const shared = new URLSearchParams(fragment.replace(/^#/, ''))
  const path = shared.get('path')
  if (path === null) return undefined
  const version = shared.get('version')
  const isVersion = version !== null && /^v\d+\.\d+$/.test(version)
  return { path, fields: shared.get('fields') ?? '', ...(isVersion && { version }) }
}
