import type { NodeId } from '../base/ids.ts'
import type { ExecutionContext } from '../read/context.ts'
import type { NodeRecord } from '../store/contract.ts'

/** Returns the id that a node has for the session's app. */
export const publicIdOf = (
  { idMapper }: Pick<ExecutionContext, 'idMapper'>,
  id: NodeId,
  { appScoped }: { readonly appScoped: boolean },
): string => (appScoped && idMapper !== undefined ? idMapper.toPublic(id) : id)

/**
 * Returns the public ids of many nodes. A first loop reads all raw ids from memory, so that the loop with the
 * lookups waits only for the maps.
 */
export const publicIdsOf = (
  { idMapper }: Pick<ExecutionContext, 'idMapper'>,
  records: readonly NodeRecord[],
): readonly string[] => {
  const rawIds = records.map(({ id }) => id)
  return idMapper === undefined ? rawIds : rawIds.map(id => idMapper.toPublic(id))
}

/** Returns the URL of a node. */
export const nodeUrlOf = (
  context: Pick<ExecutionContext, 'idMapper' | 'linkBase'>,
  id: NodeId,
  type: { readonly appScoped: boolean },
): string => `${context.linkBase}/${publicIdOf(context, id, type)}`

/**
 * Returns the path of an edge relative to the URL of its node. Without a `query`, the path leads to the first
 * page.
 */
export const edgePathOf = (
  { linkQuery }: Pick<ExecutionContext, 'linkQuery'>,
  edge: string,
  query = '',
): string => {
  if (query !== '') return `/${edge}?${linkQuery}${query}`
  return linkQuery === '' ? `/${edge}` : `/${edge}?${linkQuery.slice(0, -1)}`
}
