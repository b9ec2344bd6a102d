import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { isCallParameter } from '../../../base/call-parameters.ts'
import { type GraphError, isGraphError } from '../../../base/errors.ts'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import { parseFields } from '../../../fields/parse.ts'
import type { TypeView } from '../../schema-view.ts'
import { rangeAt, rangeBefore, type TextRange } from '../../text-range.ts'
import { formatExpression } from '../expression/format-expression.ts'
import { type ErrorDetails, parseError } from '../response/error-details.ts'
import { findType } from '../schema/lookup.ts'
import { debounceEffect } from './debounce-effect.ts'
import type { KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The summary of a plan. The graph computes it without reading data. */
export type ExplainSummary = {
  readonly reads: number
  readonly cost: number
  /** The limit of the graph. A request with a higher cost is rejected. */
  readonly costLimit: number
  readonly scopes: readonly string[]
}

/** The state of the edited expression. */
export type ExpressionState = {
  /** The parsed expression; undefined while the text is invalid. */
  readonly parsed: ReadonlySignal<FieldExpression | undefined>
  /** The error of the current text, once the user has paused typing. */
  readonly error: ReadonlySignal<ErrorDetails | undefined>
  readonly plan: ReadonlySignal<ExplainSummary | undefined>
  /** Loads the plan of the current text. Resolves to undefined if there is none. */
  readonly loadPlan: () => Promise<ExplainSummary | undefined>
  /** Replaces the text with another expression. */
  readonly replace: (expression: FieldExpression) => void
}

/**
 * The limits of the parser on the page. They are larger than the limits of most graphs, because the graph
 * itself reports an error if its limits are exceeded.
 */
const EDITOR_PARSE_LIMITS = { length: 100_000, depth: 100, fields: 10_000 }

type LoadedPlan = {
  readonly path: string
  readonly error: ErrorDetails | undefined
  readonly plan: ExplainSummary | undefined
}

/** Returns the position of a syntax error. */
const findErrorRange = (text: string, { data, reason }: GraphError): { readonly range?: TextRange } => {
  if (typeof data.position !== 'number') return {}
  return { range: (reason === 'duplicate_name' ? rangeBefore : rangeAt)(text, data.position) }
}

/** Parses an expression. Returns an error in the form that the graph sends. */
const parseExpression = (
  text: string,
): { readonly expression?: FieldExpression; readonly error?: ErrorDetails | undefined } => {
  try {
    return { expression: parseFields(text, EDITOR_PARSE_LIMITS) }
  } catch (error) {
    if (!isGraphError(error)) throw error
    return { error: parseError({ ...error.toJSON(), ...findErrorRange(text, error) }) }
  }
}

const parseExplainSummary = (body: JsonValue | undefined): ExplainSummary | undefined => {
  if (!isNonArrayObject(body)) return undefined
  const { reads, cost, costLimit, scopes } = body
  if (typeof reads !== 'number' || typeof cost !== 'number' || typeof costLimit !== 'number') return undefined
  const scopeNames = Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
  return { reads, cost, costLimit, scopes: scopeNames }
}

/** Whether a path with this name exists only over HTTP and has no plan: `me/permissions`, `me/picture`. */
const isHttpOnly = (name: string, types: readonly TypeView[]): boolean =>
  name === 'permissions' || types.some(({ fields }) => fields.some(field => field.name === name))

/**
 * Returns the path for the plan of the request, or undefined if the type is unknown or the requested nodes
 * have several types.
 */
const createPlanPath = (
  { query, target }: RequestState,
  { requestedTypes, requestedParameters }: KnownNodes,
  { schema }: SchemaState,
): string | undefined => {
  const { fields, version } = query.value
  const { edge, ids, parameters } = target.value
  const types = requestedTypes.value.flatMap(name => (schema.value && findType(schema.value, name)) ?? [])
  const typeWithEdge = types.find(({ edges }) => edges.some(({ name }) => name === edge))
  const type = typeWithEdge ?? types[0]
  if (type === undefined || (ids.length > 0 && types.length > 1)) return undefined
  const planParameters = new URLSearchParams({ type: type.name, fields, version })
  if (ids.length > 0) planParameters.set('count', `${new Set(ids).size}`)
  if (edge === undefined) return `plan.json?${planParameters}`
  if (typeWithEdge === undefined && isHttpOnly(edge, types)) return undefined
  planParameters.set('edge', edge)
  for (const [name, value] of parameters)
    if (name === 'limit' || name === 'summary') planParameters.set(name, value)
  // Empty text is a value of a string. For other types, it means that there is no value.
  const strings = requestedParameters.value.flatMap(({ name, type }) => (type === 'string' ? [name] : []))
  const edgeParameters = parameters.filter(
    ([name, value]) => !isCallParameter(name) && (value !== '' || strings.includes(name)),
  )
  if (edgeParameters.length > 0)
    planParameters.set('parameters', JSON.stringify(Object.fromEntries(edgeParameters)))
  return `plan.json?${planParameters}`
}

/** Creates a plan loader, which keeps the last loaded plan and loads the plan of the current path. */
const createPlanLoader = (planPath: ReadonlySignal<string | undefined>, { requestExplorer }: Transport) => {
  const lastPlan = signal<LoadedPlan | undefined>(undefined)
  const currentPlan = computed(() => (lastPlan.value?.path === planPath.value ? lastPlan.value : undefined))
  const fetchPlan = async (path: string, signal?: AbortSignal): Promise<LoadedPlan> => {
    const { body } = await requestExplorer(path, signal)
    return { path, error: parseError(body), plan: parseExplainSummary(body) }
  }
  debounceEffect(
    () => planPath.value,
    async (path, signal) => {
      if (path === undefined) return
      // After a failure, there is no plan, because the old plan belongs to another text.
      const next = await fetchPlan(path, signal).catch(() => ({ path, error: undefined, plan: undefined }))
      if (!signal.aborted) lastPlan.value = next
    },
  )
  const loadPlan = async (): Promise<ExplainSummary | undefined> => {
    const path = planPath.peek()
    const loadedPlan = currentPlan.peek() ?? (path === undefined ? undefined : await fetchPlan(path))
    return loadedPlan?.plan
  }
  return { lastPlan, currentPlan, loadPlan }
}

/** Creates the state of the expression and updates it when the text changes. */
export const createExpressionState = (
  request: RequestState,
  knownNodes: KnownNodes,
  schema: SchemaState,
  transport: Transport,
): ExpressionState => {
  const parseResult = computed(() => parseExpression(request.fields.value))
  const requestPlanPath = computed(() => createPlanPath(request, knownNodes, schema))
  const planPath = computed(() => (parseResult.value.error === undefined ? requestPlanPath.value : undefined))
  const { lastPlan, currentPlan, loadPlan } = createPlanLoader(planPath, transport)
  /** The text when the user last paused typing, because errors about incomplete words are not useful. */
  const settledText = signal('')
  debounceEffect(
    () => request.fields.value,
    async text => {
      settledText.value = text
    },
  )
  return {
    parsed: computed(() => parseResult.value.expression),
    error: computed(() => {
      const isSettled = settledText.value === request.fields.value
      return isSettled ? (parseResult.value.error ?? currentPlan.value?.error) : undefined
    }),
    // Shows the previous plan until the next one arrives, to avoid flicker while the user types.
    plan: computed(() => (requestPlanPath.value === undefined ? undefined : lastPlan.value?.plan)),
    loadPlan,
    replace: expression => {
      request.fields.value = formatExpression(expression)
    },
  }
}
