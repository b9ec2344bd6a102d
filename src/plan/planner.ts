import { BoundedMap } from '../base/bounded-map.ts'
import { describe } from '../base/describe.ts'
import type { FieldExpression } from '../fields/expression.ts'
import { parseFields } from '../fields/parse.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'
import { compile } from './compile.ts'
import { Declarations } from './declarations.ts'
import type { Limits } from './limits.ts'
import type { Plan } from './plan.ts'
import { hasSlots, putValues, skeletonOf, withSlots } from './slots.ts'

const REMEMBERED_TEXTS = 1000

/** The plans of one version: one for each edge, type or list of types that an expression was asked at. */
type Plans = Map<EdgeType | string | readonly string[], Plan>

/** A parsed expression with the plans that were made of it, by version. */
type Remembered = { readonly expression: FieldExpression; readonly plans: Map<string, Plans> }

/** What a call asks for, before it is known of what: parsed, its page values apart. */
export type Asked = { readonly remembered: Remembered; readonly values: readonly string[] }

/** Where a plan is for: nodes of these types, or the entries of an edge. */
export type PlanPlace = {
  readonly version: string
  /** The types of the nodes; for the entries of an edge, its targets. Several are found again as the same list alone. */
  readonly types: readonly string[]
  readonly edge: { readonly source: string; readonly name: string; readonly type: EdgeType } | undefined
}

const textOf = (fields: unknown): string => {
  if (fields === undefined) return ''
  if (typeof fields === 'string') return fields
  if (Array.isArray(fields) && fields.every(item => typeof item === 'string')) return fields.join(',')
  throw new TypeError(`fields: expected an expression or a list of them, came ${describe(fields)}`)
}

const remember = (texts: BoundedMap<Remembered>, key: string, expression: FieldExpression): Remembered => {
  const remembered = { expression, plans: new Map<string, Plans>() }
  texts.set(key, remembered)
  return remembered
}

/** Parses and compiles each expression once, and forgets those that were used longest ago. */
export class Planner {
  readonly #registry: Registry
  readonly #limits: Limits
  /** By version. */
  readonly #declarations = new Map<string, Declarations>()
  readonly #texts = new BoundedMap<Remembered>(REMEMBERED_TEXTS)
  /** By texts with slots, which no caller sends: apart, lest one that looks like it be taken for it. */
  readonly #skeletons = new BoundedMap<Remembered>(REMEMBERED_TEXTS)

  constructor(registry: Registry, limits: Limits) {
    this.#registry = registry
    this.#limits = limits
  }

  /**
   * Checks what the text alone decides.
   *
   * @throws GraphError for its syntax and size. @throws TypeError where it is no text.
   */
  ask(fields: unknown): Asked {
    const text = textOf(fields)
    const asIs = this.#texts.get(text)
    if (asIs !== undefined) return { remembered: asIs, values: [] }
    const expression = parseFields(text, this.#limits)
    if (!expression.some(hasSlots)) return { remembered: remember(this.#texts, text, expression), values: [] }
    const skeleton = skeletonOf(expression)
    const known = this.#skeletons.get(skeleton.text)
    const remembered = known ?? remember(this.#skeletons, skeleton.text, withSlots(expression))
    return { remembered, values: skeleton.values }
  }

  plan({ remembered }: Asked, place: PlanPlace): Plan {
    const { version, types, edge } = place
    // What is declared stands for itself: to put a key together would take longer than all else here.
    const [only] = types
    const key = edge?.type ?? (types.length === 1 && only !== undefined ? only : types)
    const plans: Plans = remembered.plans.get(version) ?? new Map()
    const known = plans.get(key)
    if (known !== undefined) return known
    const plan = this.#compile(remembered, place)
    remembered.plans.set(version, plans.set(key, plan))
    return plan
  }

  /** What was asked with its values in their places, as a link carries it. */
  expressionOf({ remembered, values }: Asked): FieldExpression {
    return values.length === 0 ? remembered.expression : putValues(remembered.expression, values)
  }

  #compile({ expression }: Remembered, { version, types, edge }: PlanPlace): Plan {
    const declarations = this.#declarations.get(version) ?? new Declarations(this.#registry, version)
    this.#declarations.set(version, declarations)
    return compile({ declarations, types, edge: edge?.type, expression, largestPage: this.#limits.page })
  }
}
