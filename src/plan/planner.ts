import { describe } from '../base/describe.ts'
import { ownText } from '../base/own-text.ts'
import { WeightedMap } from '../base/weighted-map.ts'
import type { FieldExpression } from '../fields/expression.ts'
import { parseFields } from '../fields/parse.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'
import { compile } from './compile.ts'
import { Declarations } from './declarations.ts'
import type { Limits } from './limits.ts'
import type { Plan } from './plan.ts'
import { hasSlots, putValues, templateOf } from './slots.ts'
import { itemsOf } from './text-order.ts'

/** What all texts in the cache may weigh. A unit takes at most 900 bytes or so: a full cache takes less than 100 MB. */
const LARGEST_WEIGHT = 100_000

/** The characters that weigh as much as one item. */
const CHARACTERS = 20

/** The plans of one version: one for each edge, type or list of types that an expression was asked at. */
type Plans = Map<EdgeType | string | readonly string[], Plan>

/** A parsed expression with the plans that were made of it, by version. */
type Remembered = {
  readonly text: string
  /** Whether the text is a template, with the index of a value in place of each value. */
  readonly isTemplate: boolean
  readonly expression: FieldExpression
  readonly plans: Map<string, Plans>
  /** It grows with each plan. */
  weight: number
}

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

const NO_VALUES: readonly string[] = Object.freeze([])

/** Parses and compiles each expression once, and drops those that were used longest ago. */
export class Planner {
  readonly #registry: Registry
  readonly #limits: Limits
  /** The values that a template is without were counted when the whole text was parsed; their indexes may be longer. */
  readonly #templateLimits: Limits
  /** By version. */
  readonly #declarations = new Map<string, Declarations>()
  /** By text. A template has slots, and no other text in the cache has: the two never have the same key. */
  readonly #cache = new WeightedMap<Remembered>(LARGEST_WEIGHT)

  constructor(registry: Registry, limits: Limits) {
    this.#registry = registry
    this.#limits = limits
    this.#templateLimits = { ...limits, length: Number.POSITIVE_INFINITY }
  }

  /** What the cache holds: its texts, and what they weigh in total. */
  get held(): { readonly texts: number; readonly weight: number } {
    return { texts: this.#cache.size, weight: this.#cache.weight }
  }

  /**
   * Checks what the text alone decides.
   *
   * @throws GraphError for its syntax and size. @throws TypeError where it is no text.
   */
  ask(fields: unknown): Asked {
    const given = textOf(fields)
    const asIs = this.#cache.get(given)
    // A caller may send the text of a template: its indexes are values then.
    if (asIs !== undefined && !asIs.isTemplate) return { remembered: asIs, values: NO_VALUES }
    // The names in an expression are parts of its text.
    const text = ownText(given)
    const expression = parseFields(text, this.#limits)
    if (!expression.some(hasSlots))
      return { remembered: this.#remember(text, expression, false), values: NO_VALUES }
    const template = templateOf(expression)
    const known = this.#cache.get(template.text)
    return { remembered: known ?? this.#rememberTemplate(template.text), values: template.values }
  }

  plan({ remembered }: Asked, place: PlanPlace): Plan {
    const { version, types, edge } = place
    // What is declared stands for itself: to put a key together would take longer than all else here.
    const [only] = types
    const key = edge?.type ?? (types.length === 1 && only !== undefined ? only : types)
    const plans: Plans = remembered.plans.get(version) ?? new Map()
    const known = plans.get(key)
    if (known !== undefined) return known
    const plan = this.compile(remembered.expression, place)
    remembered.plans.set(version, plans.set(key, plan))
    remembered.weight += plan.weight
    this.#cache.set(remembered.text, remembered, remembered.weight)
    return plan
  }

  /**
   * Parses an expression, with the index of a value in place of each value. Nothing is kept.
   *
   * @throws GraphError for its syntax and size. @throws TypeError if it is not a text.
   */
  parse(fields: unknown): FieldExpression {
    const expression = parseFields(textOf(fields), this.#limits)
    return expression.some(hasSlots) ? this.#parseTemplate(templateOf(expression).text) : expression
  }

  /** Compiles an expression. Nothing is kept. */
  compile(expression: FieldExpression, { version, types, edge }: PlanPlace): Plan {
    const declarations = this.#declarations.get(version) ?? new Declarations(this.#registry, version)
    this.#declarations.set(version, declarations)
    return compile({ declarations, types, edge: edge?.type, expression, largestPage: this.#limits.page })
  }

  /** What was asked with its values in their places, as a link carries it. */
  expressionOf({ remembered, values }: Asked): FieldExpression {
    return values.length === 0 ? remembered.expression : putValues(remembered.expression, values)
  }

  /** Parsed anew, since the names in the expression that it was made of are parts of a text with all values. */
  #parseTemplate(text: string): FieldExpression {
    return parseFields(text, this.#templateLimits)
  }

  #rememberTemplate(text: string): Remembered {
    return this.#remember(text, this.#parseTemplate(text), true)
  }

  #remember(text: string, expression: FieldExpression, isTemplate: boolean): Remembered {
    const weight = itemsOf(expression).length + Math.ceil(text.length / CHARACTERS)
    const remembered = { text, isTemplate, expression, plans: new Map<string, Plans>(), weight }
    this.#cache.set(text, remembered, weight)
    return remembered
  }
}
