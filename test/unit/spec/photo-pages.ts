import { ADA, createWorld } from '../../helpers/world.ts'
import { loosely } from '../abuse/fault-of.ts'

const { graph, ada } = await createWorld()

/** A page as far as its links are concerned. */
export type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: {
    readonly cursors: { readonly before: string; readonly after: string }
    readonly previous?: string
    readonly next?: string
  }
}

/** A page of the photos of Ada, or of what the call names instead. */
export const askPage = async (call: object): Promise<Page> =>
  Object(await loosely(graph.getEdge, ada, { id: ADA, edge: 'photos', fields: 'id', ...call }))

export const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id)

/** The parameters of a link, and its path. */
export const partsOf = (
  link: string | undefined,
): { path: string; parameters: { [name: string]: string } } => {
  const url = new URL(link ?? '', 'https://graph.example')
  return { path: url.pathname, parameters: Object.fromEntries(url.searchParams) }
}

/** What a link leads to. */
export const follow = async (link: string | undefined): Promise<Page> => {
  const { limit, ...others } = partsOf(link).parameters
  return askPage({ ...others, ...(limit !== undefined && { limit: Number(limit) }) })
}
