import { collection } from '../../schema/collection.ts'
import { type EdgeType, edge, type ParameterDependentOptions } from '../../schema/edge.ts'
import type { EdgeField } from '../../schema/field.ts'
import type { Parameters } from '../../schema/parameter.ts'
import type { TableListOptions } from '../declare/lists.ts'
import type { ListMapping } from '../model/table-model.ts'
import type { CompileContext } from './compile-context.ts'
import { withListOrders } from './list-orders.ts'
import { hasVariants, parametersIn, variantNameOf } from './list-variants.ts'

/** A declared edge or collection with its stored lists. */
export type ListedEdge = {
  readonly path: string
  readonly target: string
  readonly options: TableListOptions
  readonly fields: { readonly [name: string]: EdgeField }
  readonly lists: readonly ListMapping[]
}

/** Returns the options that choose the stored list by the values of parameters. */
const toListOptions = (
  name: string,
  options: TableListOptions,
): Pick<ParameterDependentOptions<Parameters>, 'parameters' | 'list'> =>
  parametersIn(options.where).length === 0 || !hasVariants(options)
    ? { parameters: options.parameters }
    : { parameters: options.parameters, list: values => variantNameOf(name, options, values) }

/** Returns how the engine counts the lists. A number that other programs keep may be missing, as that of a long list. */
const countOf = ([list]: readonly ListMapping[]): EdgeType['count'] =>
  Object.freeze({ kind: list?.count.kind === 'exact' ? 'exact' : 'capped' })

/** Creates the edge of the schema. An edge with errors has no options. */
export const createTableEdge = (
  { issues, types }: CompileContext,
  name: string,
  { path, target, options, fields, lists }: ListedEdge,
): EdgeType => {
  const { description, defaults, scope, policy } = options
  const created = issues.attempt(
    () => edge(target, { description, defaults, scope, policy, fields, ...toListOptions(name, options) }),
    path,
  )
  if (created === undefined) return edge(target)
  const shown = { target: types.get(target)?.members.fields ?? {}, edge: fields }
  return Object.freeze({ ...withListOrders(created, options, lists, shown), count: countOf(lists) })
}

/** Returns an edge as a collection. */
export const toCollection = (created: EdgeType): EdgeType =>
  Object.freeze({ ...created, collection: collection(created.targets).collection })
