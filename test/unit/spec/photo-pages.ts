import { ADA, createWorld } from '../../helpers/world.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const { graph, ada } = await createWorld()

/** The part of a page that these tests read. */
export type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: {
    readonly cursors: { readonly before: string; readonly after: string }
    readonly previous?: string
    readonly next?: string
  }
}

/** Reads a page of the photos of Ada. `call` can replace the node and the edge. */
export const readPage = async (call: object): Promise<Page> =>
  Object(await callUntyped(graph.getEdge, ada, { id: ADA, edge: 'photos', fields: 'id', ...call }))

export const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id)

/** Splits a link into its path and its parameters. */
export const parseLink = (
  link: string | undefined,
): { path: string; parameters: { [name: string]: string } } => {
  const url = new URL(link ?? '', 'https://graph.example')
  return { path: url.pathname, parameters: Object.fromEntries(url.searchParams) }
}

/** Reads the page that a link leads to. */
export const followLink = async (link: string | undefined): Promise<Page> => {
  const { limit, ...others } = parseLink(link).parameters
  return readPage({ ...others, ...(limit !== undefined && { limit: Number(limit) }) })
}
