import { stripWhiteSpace } from '../../../fields/strip.ts'
import { parsePath, printPath } from './target.ts'

/** All that a request to the graph says but for its token. */
export type Query = { readonly version: string; readonly path: string; readonly fields: string }

/** The path below the graph's own: version, target, parameters and fields. */
export const requestPath = ({ version, path, fields }: Query): string => {
  const target = parsePath(path)
  const asked = stripWhiteSpace(fields)
  const query = new URLSearchParams()
  for (const [name, value] of target.parameters) query.append(name, value)
  if (asked !== '') query.append('fields', asked)
  const place = printPath({ ...target, parameters: [] })
  return `/${version}/${place.split('/').map(encodeURIComponent).join('/')}${query.size === 0 ? '' : `?${query}`}`
}

/** Whether two queries ask the same. */
export const isSameQuery = (a: Query, b: Query): boolean => requestPath(a) === requestPath(b)

/** A query as the fragment of a URL, to be shared. */
export const toFragment = ({ version, path, fields }: Query): string => {
  const { id, edge, parameters } = parsePath(path)
  const shared = new URLSearchParams({ path: printPath({ id, edge, parameters }), version })
  if (fields !== '') shared.set('fields', fields)
  return `#${shared}`
}

/** The query of a shared URL; undefined for a fragment that is none. */
export const fromFragment = (fragment: string): Partial<Query> | undefined => {
  const shared = new URLSearchParams(fragment.replace(/^#/, ''))
  const path = shared.get('path')
  if (path === null) return undefined
  const version = shared.get('version')
  return { path, fields: shared.get('fields') ?? '', ...(version !== null && { version }) }
}
