import { type ActionEndpoint, endpointOfAction } from '../../../base/action-endpoint.ts'
import { hasIdForm } from '../../../base/id-form.ts'
import type { JsonObject } from '../../../base/json.ts'
import { stripWhiteSpace } from '../../../fields/parse.ts'
import type { ActionView } from '../../action-view.ts'
import type { SchemaView } from '../../schema-view.ts'
import { findType } from '../schema/lookup.ts'
import type { PathTarget } from '../target/target.ts'

/** An action of a node: its source, and the action. */
export type SourceAction = {
  /** The id of the source, or `me`. */
  readonly id: string
  readonly type: string
  readonly action: ActionView
}

/** The call that a form makes, without its token. */
export type FormCall = SourceAction & {
  readonly version: string
  readonly values: JsonObject
  /** The expression of the fields of the returned node; empty for its id alone. */
  readonly fields: string
  /** The key of the call, or `undefined` for an action that accepts none. */
  readonly key: string | undefined
}

/** The request of a call. */
export type ActionRequest = {
  readonly method: ActionEndpoint['method']
  /** The path and query, relative to the graph's URL. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  /** The parameters as JSON, or `undefined` without parameters. */
  readonly body: string | undefined
}

/** Returns the edge whose action an action is, if it is one. */
export const edgeOfAction = ({ name }: ActionView): string | undefined =>
  /^(.+)\.(?:add|remove)$/.exec(name)?.[1]

/** Whether an action deletes or removes something, so that users confirm it. */
export const isDestructive = ({ name }: ActionView): boolean => endpointOfAction(name).method === 'DELETE'

/** Returns the actions that a path offers: those of its edge, or all actions of its node and the edges of the node. */
export const actionsAt = (
  schema: SchemaView,
  types: readonly string[],
  { id, edge }: PathTarget,
): readonly SourceAction[] => {
  const [type, ...others] = types
  if (id === '' || type === undefined || others.length > 0) return []
  const actions = findType(schema, type)?.actions ?? []
  return actions
    .filter(action => edge === undefined || edgeOfAction(action) === edge)
    .map(action => ({ id, type, action }))
}

/**
 * Returns the target of an edge, if it can be the last part of the path. Other texts, such as `..`, would change the
 * path.
 */
const findPathTarget = ({ action, values: { target } }: FormCall): string | undefined =>
  action.name.endsWith('.remove') && typeof target === 'string' && (target === 'me' || hasIdForm(target))
    ? target
    : undefined

/** Returns the parts of the path after the source. */
const pathEndOf = (call: FormCall): readonly string[] => {
  const { subject } = endpointOfAction(call.action.name)
  return [subject, findPathTarget(call)].filter(part => part !== undefined)
}

const toBody = (call: FormCall): string | undefined => {
  const { target, ...others } = call.values
  const values = findPathTarget(call) === undefined ? call.values : others
  return Object.keys(values).length === 0 ? undefined : JSON.stringify(values)
}

/** Creates the request of a call. */
export const createActionRequest = (call: FormCall): ActionRequest => {
  const { id, action, version, key } = call
  const pathname = [version, id, ...pathEndOf(call)].map(part => `/${encodeURIComponent(part)}`).join('')
  const fields = stripWhiteSpace(call.fields)
  const body = toBody(call)
  return {
    method: endpointOfAction(action.name).method,
    path:
      fields === '' ? pathname : `${pathname}?fields=${encodeURIComponent(fields).replaceAll('%2C', ',')}`,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body,
  }
}

const KEY_BYTES = 16

/** Creates the key of a call. Unlike `crypto.randomUUID`, it needs no secure page. */
export const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
