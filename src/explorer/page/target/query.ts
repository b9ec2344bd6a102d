import { stripWhiteSpace } from '../../../fields/parse.ts'
import { parsePath, printPath, removePathSecrets } from './target.ts'

/** A request to the graph without its token. */
export type ExplorerQuery = { readonly version: string; readonly path: string; readonly fields: string }

/** How the page shows a request and its response: as a table with inputs, or as a path and an expression. */
export type PageMode = 'table' | 'query'

/** Formats the path and the query of a request, relative to the graph's URL. */
export const printRequestPath = ({ version, path, fields }: ExplorerQuery): string => {
  const target = parsePath(path)
  const strippedFields = stripWhiteSpace(fields)
  const searchParameters = new URLSearchParams()
  for (const [name, value] of target.parameters) searchParameters.append(name, value)
  if (strippedFields !== '') searchParameters.append('fields', strippedFields)
  const pathname = printPath({ ...target, parameters: [] })
    .split('/')
    .map(encodeURIComponent)
    .join('/')
  return `${version === '' ? '' : `/${version}`}/${pathname}${searchParameters.size === 0 ? '' : `?${searchParameters}`}`
}

/** Whether two queries are equal. */
export const isSameQuery = (a: ExplorerQuery, b: ExplorerQuery): boolean =>
  printRequestPath(a) === printRequestPath(b)

/** Formats a query and its mode as the fragment of a URL, for sharing. */
export const printFragment = ({ version, path, fields }: ExplorerQuery, mode: PageMode = 'query'): string => {
  const fragmentParameters = new URLSearchParams({ path: removePathSecrets(path), version })
  if (fields !== '') fragmentParameters.set('fields', fields)
  if (mode === 'table') fragmentParameters.set('view', mode)
  return `#${fragmentParameters}`
}

/** Parses the fragment of a shared URL. Returns undefined for any other fragment. */
export const parseFragment = (fragment: string): Partial<ExplorerQuery> | undefined => {
  const fragmentParameters = new URLSearchParams(fragment.replace(/^#/, ''))
  const path = fragmentParameters.get('path')
  if (path === null) return undefined
  const version = fragmentParameters.get('version')
  const isVersion = version !== null && /^v\d+\.\d+$/.test(version)
  return { path, fields: fragmentParameters.get('fields') ?? '', ...(isVersion && { version }) }
}

/** Parses the mode in the fragment of a shared URL. */
export const parseMode = (fragment: string): PageMode =>
  new URLSearchParams(fragment.replace(/^#/, '')).get('view') === 'table' ? 'table' : 'query'
