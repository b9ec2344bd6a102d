import { type ActionEndpoint, endpointOfAction } from '../../base/action-endpoint.ts'
import type { JsonObject } from '../../base/json.ts'
import type { ActionDescription } from '../../execute/action-runtime.ts'
import { ROOT_TYPE } from '../../schema/collection.ts'
import type { Field } from '../../schema/field.ts'
import type { Schema } from '../../schema/schema.ts'
import { joinSentences } from './descriptions.ts'
import { actionErrorResponseRefs } from './error-schemas.ts'
import { createFieldSchema } from './node-schemas.ts'
import { createOperation } from './operation.ts'
import { createParametersSchema } from './parameter-schemas.ts'
import { ACTION_PARAMETER_NAMES } from './parameters.ts'
import { createAnyOf, createObjectSchema, createSchemaRef } from './value-schemas.ts'

/** The place of an action in the paths of a document. */
type ActionRoute = {
  readonly method: ActionEndpoint['method']
  /** The end of the path, after the id of the source. */
  readonly suffix: string
  /** The beginning of the id of the operation. */
  readonly verb: string
  /** The edge or the name of the action, for the id of the operation. */
  readonly subject: string | undefined
}

/** Returns the routes of an action. The parameter `target` of an edge may also be a part of the path. */
const routesOf = ({ name, parameters }: ActionDescription): readonly ActionRoute[] => {
  const { method, subject } = endpointOfAction(name)
  if (subject === undefined) return [{ method, suffix: '', verb: name, subject }]
  const suffix = `/${subject}`
  const [, operation = 'run'] = name.split('.')
  const route: ActionRoute = { method, suffix, verb: operation, subject }
  const hasTarget = operation === 'remove' && Object.hasOwn(parameters, 'target')
  return hasTarget ? [route, { ...route, suffix: `${suffix}/{target}`, verb: 'removeEntry' }] : [route]
}

/** A kind of source: the beginning of its paths and operation ids, and its types. */
type Source = {
  readonly path: string
  readonly word: string
  readonly description: string
  readonly hasType: (type: string) => boolean
}

const createSources = ({ viewers }: Schema): readonly Source[] => [
  { path: '/root', word: 'Root', description: 'the root', hasType: type => type === ROOT_TYPE },
  { path: '/me', word: 'Me', description: 'the viewer', hasType: type => viewers.includes(type) },
  { path: '/{id}', word: 'Node', description: 'a node', hasType: type => type !== ROOT_TYPE },
]

/** Returns the name of the component that describes the parameters of an action. No other component has such a name. */
const formatInputName = ({ type, name }: ActionDescription): string => `${type}.${name}-parameters`

/** Creates the components of the parameters of actions. */
export const createActionComponents = ({ ids }: Schema, actions: readonly ActionDescription[]): JsonObject =>
  Object.fromEntries(
    actions.map(action => [
      formatInputName(action),
      {
        ...createParametersSchema(ids, action.parameters),
        description: `The parameters of \`${action.name}\` of the type ${action.type}.`,
      },
    ]),
  )

const successSchema = createObjectSchema({ success: { type: 'boolean', const: true } }, ['success'])

/** Returns the schema of a field of a result, in which a ref is only the id of its node. */
const createResultSchema = (field: Field): JsonObject =>
  field.kind === 'ref' ? createSchemaRef('Id') : createFieldSchema(field)

/** Returns the schema of the response: a node of which only the id is certain, the fields of a result, or a success. */
const createResponseSchema = ({ returns, result }: ActionDescription): JsonObject => {
  if (returns !== undefined) return createAnyOf(returns)
  if (result === undefined) return successSchema
  const fields = Object.entries(result)
  const properties = fields.map(([name, field]) => [name, createResultSchema(field)] as const)
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []))
  return createObjectSchema(Object.fromEntries(properties), required)
}

const uniteSchemas = (schemas: readonly JsonObject[]): JsonObject => {
  const [first = {}, ...others] = [
    ...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values(),
  ]
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

const describeActions = (actions: readonly ActionDescription[]): string =>
  actions
    .map(({ type, description, scope, failures }) => {
      const text = joinSentences(
        description,
        scope && `Rejected without the scope \`${scope}\`.`,
        failures && `Failures: ${failures.map(failure => `\`${failure}\``).join(', ')}.`,
      )
      return text === '' ? `- ${type}` : `- ${type}: ${text}`
    })
    .join('\n')

/** Creates the operation of the actions that share a path and a method. They belong to different types. */
const createActionOperation = (
  source: Source,
  { verb, subject, suffix }: ActionRoute,
  actions: readonly ActionDescription[],
): JsonObject => {
  const schema = uniteSchemas(actions.map(action => createSchemaRef(formatInputName(action))))
  const scopes = [...new Set(actions.flatMap(({ scope }) => scope ?? []))]
  const failures = [...new Set(actions.flatMap(({ failures = [] }) => failures))]
  const isRequired = actions.every(({ parameters }) =>
    Object.entries(parameters).some(([name, { required }]) => required && !suffix.endsWith(`{${name}}`)),
  )
  const operation = createOperation({
    operationId: subject === undefined ? `${verb}${source.word}` : `${verb}${source.word}_${subject}`,
    tag: 'Actions',
    summary: `${actions[0]?.name} of ${source.description}`,
    description: describeActions(actions),
    parameters: [
      ...(source.word === 'Node' ? ['id'] : []),
      ...(suffix.endsWith('{target}') ? ['target'] : []),
      ...(actions.some(({ idempotent }) => idempotent) ? ['Idempotency-Key'] : []),
      ...(actions.some(({ returns }) => returns !== undefined) ? ['fields'] : []),
      ...ACTION_PARAMETER_NAMES,
    ],
    requestBody: {
      required: isRequired,
      content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
    },
    responseSchema: uniteSchemas(actions.map(createResponseSchema)),
    responses: actionErrorResponseRefs,
    isUncached: true,
  })
  return {
    ...operation,
    ...(scopes.length > 0 && { 'x-scopes': scopes }),
    ...(failures.length > 0 && { 'x-failures': failures }),
  }
}

/** The actions that share a path and a method. */
type ActionGroup = {
  readonly source: Source
  readonly route: ActionRoute
  readonly actions: ActionDescription[]
}

const groupActions = (schema: Schema, actions: readonly ActionDescription[]): readonly ActionGroup[] => {
  const groups = new Map<string, ActionGroup>()
  for (const source of createSources(schema))
    for (const action of actions.filter(({ type }) => source.hasType(type)))
      for (const route of routesOf(action)) {
        const key = `${route.method} ${source.path}${route.suffix}`
        const group = groups.get(key) ?? { source, route, actions: [] }
        group.actions.push(action)
        groups.set(key, group)
      }
  return [...groups.values()]
}

/** Adds the operations of actions to the paths of a document. */
export const addActionPaths = (
  paths: { readonly [path: string]: JsonObject },
  schema: Schema,
  actions: readonly ActionDescription[],
): { readonly [path: string]: JsonObject } => {
  const allPaths = { ...paths }
  for (const { source, route, actions: sharingActions } of groupActions(schema, actions)) {
    const path = `${source.path}${route.suffix}`
    const operation = createActionOperation(source, route, sharingActions)
    allPaths[path] = { ...allPaths[path], [route.method.toLowerCase()]: operation }
  }
  return allPaths
}
