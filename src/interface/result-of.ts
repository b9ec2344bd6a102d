import type { FieldsErrors } from '../schema/inference/checked-fields.ts'
import type { FieldsInput, ParseFields } from '../schema/inference/expression.ts'
import type { ParametersOption } from '../schema/inference/parameters.ts'
import type { EdgeNamesOn, EntryParent, NodeParent, Parent, TypeName } from '../schema/inference/parent.ts'
import type { FieldsResult, Page } from '../schema/inference/result.ts'
import type { Schema, Types } from '../schema/schema.ts'

/** A result, or the text of the error in the expression. A constraint on `TFields` would be circular. */
type ResultOrError<TTypes extends Types, TParent extends Parent, TFields extends FieldsInput> = [
  FieldsErrors<TTypes, TParent, ParseFields<TFields>>,
] extends [null]
  ? FieldsResult<TTypes, TParent, TFields>
  : FieldsErrors<TTypes, TParent, ParseFields<TFields>>

/**
 * The type of a node that is read with `TFields`, such as the result of `getNode` with a `type` and `fields`.
 * Without `TFields`, the node has its default fields. If `TFields` contains a name that the schema does not
 * have, the type is a string literal that explains the error.
 *
 * @example
 * ```ts
 * import { createGraph, defineSchema, field, node, type ResultOf } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const schema = defineSchema({
 *   event: node({ fields: { title: field.string({ required: true }), venue: field.ref('venue') } }),
 *   venue: node({ fields: { name: field.string({ required: true }) } }),
 * })
 * const fields = 'title,venue{name}'
 * const describe = ({ title, venue }: ResultOf<typeof schema, 'event', typeof fields>) =>
 *   `${title} at ${venue?.name ?? 'home'}`
 *
 * const graph = createGraph(createMemoryStore(), { schema })
 * await graph.write([
 *   { op: 'putNode', node: { id: '1', type: 'venue', fields: { name: 'the library' } } },
 *   { op: 'putNode', node: { id: '2', type: 'event', fields: { title: 'Chess', venue: '1' } } },
 * ])
 * const session = graph.session({ app: 'demo' })
 * const event = await graph.getNode(session, { id: '2', type: 'event', fields })
 * console.log(describe(event)) // Chess at the library
 * ```
 */
export type ResultOf<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TFields extends FieldsInput = undefined,
> = ResultOrError<TSchema['types'], NodeParent<TType>, TFields>

/**
 * The type of a page of an edge whose entries are read with `TFields`, such as the result of `getEdge`. The
 * type of one entry is `EdgeResultOf<…>['data'][number]`. Without `TFields`, the entries have their default
 * fields.
 *
 * @example
 * ```ts
 * import { createGraph, defineSchema, edge, type EdgeResultOf, field, node } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const schema = defineSchema({
 *   event: node({ edges: { attendees: edge('person') } }),
 *   person: node({ fields: { name: field.string({ required: true }) } }),
 * })
 * type Attendees = EdgeResultOf<typeof schema, 'event', 'attendees', 'name'>
 * const namesOf = ({ data }: Attendees): string[] => data.map(({ name }) => name)
 *
 * const graph = createGraph(createMemoryStore(), { schema })
 * await graph.write([
 *   { op: 'putNode', node: { id: '1', type: 'event', fields: {} } },
 *   { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Ada' } } },
 *   { op: 'putEdge', edge: { source: '1', name: 'attendees', target: '2' } },
 * ])
 * const session = graph.session({ app: 'demo' })
 * const page = await graph.getEdge(session, { id: '1', type: 'event', edge: 'attendees', fields: 'name' })
 * console.log(namesOf(page)) // [ 'Ada' ]
 * ```
 */
export type EdgeResultOf<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TEdge extends EdgeNamesOn<TSchema['types'], TType>,
  TFields extends FieldsInput = undefined,
> = Page<ResultOrError<TSchema['types'], EntryParent<TSchema['types'], TType, TEdge>, TFields>>

/**
 * The type of the option `parameters` of a call to an edge. For an edge without parameters, the type is
 * `never`.
 *
 * @example
 * ```ts
 * import { createGraph, type EdgeParametersOf, type SocialSchema } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const parameters: EdgeParametersOf<SocialSchema, 'user', 'photos'> = { type: 'uploaded' }
 *
 * const graph = createGraph(createMemoryStore())
 * await graph.write([
 *   { op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } },
 *   { op: 'putNode', node: { id: '9', type: 'photo', fields: {} } },
 *   { op: 'putEdge', edge: { source: '4', name: 'photos', target: '9', parameters } },
 * ])
 * const session = graph.session({ app: 'demo', scopes: ['user_photos'] })
 * const photos = await graph.getEdge(session, { id: '4', type: 'user', edge: 'photos', fields: 'id', parameters })
 * console.log(photos.data) // [ { id: '9' } ]
 * ```
 */
export type EdgeParametersOf<
  TSchema extends Schema,
  TType extends TypeName<TSchema>,
  TEdge extends EdgeNamesOn<TSchema['types'], TType>,
> = Exclude<ParametersOption<EntryParent<TSchema['types'], TType, TEdge>>, undefined>
