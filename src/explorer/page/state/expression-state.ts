import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type GraphError, isGraphError } from '../../../base/faults.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import { parseFields } from '../../../fields/parse.ts'
import { rangeAt, rangeBefore, type TextRange } from '../../text-range.ts'
import { type Fault, faultIn } from '../answer/fault.ts'
import { isRecord, type Json } from '../answer/json.ts'
import { layOut } from '../expression/lay-out.ts'
import { typeOf } from '../schema/lookup.ts'
import { afterPause } from './after-pause.ts'
import type { KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** What an expression comes to, as the graph tells before anything is read. */
export type PlanFigures = {
  readonly waves: number
  readonly cost: number
  readonly scanned: number
  readonly scopes: readonly string[]
}

/** What is known of the expression that is being written. */
export type ExpressionState = {
  /** Undefined where the text is at fault. */
  readonly parsed: ReadonlySignal<FieldExpression | undefined>
  /** Of the text as it stands, once its writer pauses. */
  readonly fault: ReadonlySignal<Fault | undefined>
  readonly plan: ReadonlySignal<PlanFigures | undefined>
  /** The plan of the text as it stands; undefined where there is none. */
  readonly figures: () => Promise<PlanFigures | undefined>
  /** Puts another expression in place of the text. */
  readonly replace: (expression: FieldExpression) => void
}

/** What a graph takes at the most may be more or less: it says so itself. */
const NO_LIMITS = { length: 100_000, depth: 100, items: 10_000 }

type Told = { readonly of: string; readonly fault: Fault | undefined; readonly plan: PlanFigures | undefined }

/** Where reading stopped. */
const stoppedAt = (text: string, { data }: GraphError): { readonly range?: TextRange } => {
  if (typeof data.position !== 'number') return {}
  return { range: (data.reason === 'duplicate' ? rangeBefore : rangeAt)(text, data.position) }
}

/** Parses, with the fault in the form in which the graph sends it. */
const parse = (
  text: string,
): { readonly expression?: FieldExpression; readonly fault?: Fault | undefined } => {
  try {
    return { expression: parseFields(text, NO_LIMITS) }
  } catch (error) {
    if (!isGraphError(error)) throw error
    return { fault: faultIn({ ...error.toJSON(), ...stoppedAt(text, error) }) }
  }
}

const figuresIn = (body: Json | undefined): PlanFigures | undefined => {
  if (!isRecord(body)) return undefined
  const { waves, cost, scanned, scopes } = body
  if (typeof waves !== 'number' || typeof cost !== 'number' || typeof scanned !== 'number') return undefined
  const words = Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
  return { waves, cost, scanned, scopes: words }
}

/** Where the plan of the request is told; undefined where nothing is known of the type, or it is of several nodes. */
const planPath = (
  { query, target }: RequestState,
  { types }: KnownNodes,
  { schema }: SchemaState,
): string | undefined => {
  const { fields, version } = query.value
  const { edge, ids } = target.value
  const views = types.value.flatMap(name => (schema.value && typeOf(schema.value, name)) ?? [])
  const type = views.find(({ edges }) => edges.some(({ name }) => name === edge)) ?? views[0]
  if (type === undefined || ids.length > 0) return undefined
  const asked = new URLSearchParams({ type: type.name, fields, version })
  if (edge !== undefined) asked.set('edge', edge)
  return `plan.json?${asked}`
}

/** What the graph tells of the path of a plan: the last thing told, and that of the path as it stands. */
const createPlans = (path: ReadonlySignal<string | undefined>, { look }: Transport) => {
  const told = signal<Told | undefined>(undefined)
  const current = computed(() => (told.value?.of === path.value ? told.value : undefined))
  const load = async (of: string, leaving?: AbortSignal): Promise<Told> => {
    const { body } = await look(of, leaving)
    return { of, fault: faultIn(body), plan: figuresIn(body) }
  }
  afterPause(
    () => path.value,
    async (of, leaving) => {
      if (of === undefined) return
      // Where nothing comes, nothing is known: figures of another text would be taken for those of this one.
      const next = await load(of, leaving).catch(() => ({ of, fault: undefined, plan: undefined }))
      if (!leaving.aborted) told.value = next
    },
  )
  const figures = async (): Promise<PlanFigures | undefined> => {
    const of = path.peek()
    const known = current.peek() ?? (of === undefined ? undefined : await load(of))
    return known?.plan
  }
  return { told, current, figures }
}

/** Keeps what is known of the expression up with its text. */
export const createExpressionState = (
  request: RequestState,
  nodes: KnownNodes,
  schema: SchemaState,
  transport: Transport,
): ExpressionState => {
  const read = computed(() => parse(request.fields.value))
  const place = computed(() => planPath(request, nodes, schema))
  const path = computed(() => (read.value.fault === undefined ? place.value : undefined))
  const { told, current, figures } = createPlans(path, transport)
  /** The text when its writer last paused: nobody wants to be told that a word is not whole yet. */
  const rested = signal('')
  afterPause(
    () => request.fields.value,
    async text => {
      rested.value = text
    },
  )
  return {
    parsed: computed(() => read.value.expression),
    fault: computed(() => {
      const isRested = rested.value === request.fields.value
      return isRested ? (read.value.fault ?? current.value?.fault) : undefined
    }),
    // That of the text before is shown until the next is told, so that figures do not flicker while people type.
    plan: computed(() => (place.value === undefined ? undefined : told.value?.plan)),
    figures,
    replace: expression => {
      request.fields.value = layOut(expression)
    },
  }
}
