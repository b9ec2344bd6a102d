import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import { parseError } from '../response/error-details.ts'
import { pageEntriesOf, textAt } from '../response/json.ts'
import {
  findAbsentFields,
  type LeftOutFields,
  NO_LEFT_OUT_FIELDS,
  withoutGrantedScopes,
} from '../response/left-out-fields.ts'
import { splitByRequestedId } from '../response/requested-parts.ts'
import type { ExplorerQuery } from '../target/query.ts'
import { looksLikeNodeId, parsePath } from '../target/target.ts'
import type { KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** Finds the fields that the response to a query leaves out because the token lacks a scope. */
export type LeftOutLoader = (
  query: ExplorerQuery,
  expression: FieldExpression,
  body: JsonValue | undefined,
) => Promise<LeftOutFields>

const parseScopes = (body: JsonValue | undefined): ReadonlySet<string> | undefined => {
  const entries = pageEntriesOf(body)
  return entries && new Set(entries.flatMap(entry => textAt(entry, 'permission') ?? []))
}

/** Creates a loader of the scopes of the current token, which reads them once per token. */
const createScopesLoader = ({ token, version }: RequestState, { requestGraph }: Transport) => {
  let last: { readonly token: string; readonly scopes: Promise<ReadonlySet<string> | undefined> } | undefined
  return (): Promise<ReadonlySet<string> | undefined> => {
    const currentToken = token.peek()
    if (last?.token === currentToken) return last.scopes
    const scopes = requestGraph(`/${version.peek()}/me/permissions`, currentToken).then(
      ({ body }) => parseScopes(body),
      () => undefined,
    )
    last = { token: currentToken, scopes }
    return scopes
  }
}

/**
 * Creates the loader. It compares the response with the schema, and reads the scopes of the token only if a
 * field with a scope is absent. A token without a viewer cannot read its scopes, so the loader finds no
 * fields for it.
 */
export const createLeftOutLoader = (
  request: RequestState,
  { schema }: SchemaState,
  knownNodes: KnownNodes,
  transport: Transport,
): LeftOutLoader => {
  const loadScopes = createScopesLoader(request, transport)
  return async (query, expression, body) => {
    if (!isNonArrayObject(body) || parseError(body) !== undefined) return NO_LEFT_OUT_FIELDS
    const target = parsePath(query.path)
    const tokenAtStart = request.token.peek()
    if (looksLikeNodeId(target.id)) await knownNodes.loadNode(target.id)
    await knownNodes.loadNodes(target.ids)
    const schemaView = schema.peek()
    if (schemaView?.version !== query.version || tokenAtStart !== request.token.peek())
      return NO_LEFT_OUT_FIELDS
    const absentFields = new Map(
      splitByRequestedId(target, body).flatMap(([id, part]) => {
        const root = knownNodes.findParent(id, target.edge)
        return [...findAbsentFields(part, { schema: schemaView, root, expression })]
      }),
    )
    const scopes = absentFields.size === 0 ? undefined : await loadScopes()
    return scopes === undefined ? NO_LEFT_OUT_FIELDS : withoutGrantedScopes(absentFields, scopes)
  }
}
