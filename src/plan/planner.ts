import { BoundedMap, copyText } from '../base/bounded-map.ts'
import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'
import type { FieldExpression } from '../fields/expression.ts'
import { FIELDS_EXPECTED } from '../fields/expression.ts'
import { parseFields } from '../fields/parse.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'
import { compile } from './compile.ts'
import { Declarations } from './declarations.ts'
import { flattenItems } from './expression-items.ts'
import type { Limits } from './limits.ts'
import type { Plan } from './plan.ts'
import { fillSlots, hasSlots, templateOf } from './slots.ts'

/**
 * The maximum weight of the cache. A unit of weight takes at most about 900 bytes, so a full cache takes less
 * than 100 MB.
 */
const MAX_CACHE_WEIGHT = 100_000

/** The number of characters that weigh as much as one item. */
const CHARACTERS_PER_UNIT = 20

/** The plans of an expression in one version, by edge, type or list of types. */
type PlansByTarget = Map<EdgeType | string | readonly string[], Plan>

/** A parsed expression with its plans, by version. */
type CachedExpression = {
  readonly text: string
  /** Whether the text is a template, in which an index replaces each value that differs between pages. */
  readonly isTemplate: boolean
  readonly expression: FieldExpression
  readonly plansByVersion: Map<string, PlansByTarget>
  /** The weight in the cache, which grows with each plan. */
  weight: number
}

/** The parsed fields of a call: the expression, and the values that differ between pages. */
export type ParsedFields = {
  readonly cachedExpression: CachedExpression
  readonly slotValues: readonly string[]
}

/** The target of a plan: nodes of one or several types, or the entries of an edge. */
export type PlanTarget = {
  readonly version: string
  /**
   * The types of the nodes, or the targets of the edge. A cached plan for several types is found only with
   * the same list object.
   */
  readonly types: readonly string[]
  readonly edge: { readonly source: string; readonly name: string; readonly type: EdgeType } | undefined
}

const toExpressionText = (fields: unknown): string => {
  if (fields === undefined) return ''
  if (typeof fields === 'string') return fields
  if (Array.isArray(fields) && fields.every(item => typeof item === 'string')) return fields.join(',')
  throw usageError('explain', 'fields', FIELDS_EXPECTED, describeValue(fields))
}

/**
 * Returns the key of a plan. The declared object is the key, because joining names to a key would take longer
 * than the rest of a lookup.
 */
const toPlanKey = ({ types, edge }: PlanTarget): EdgeType | string | readonly string[] => {
  const [onlyType] = types
  return edge?.type ?? (types.length === 1 && onlyType !== undefined ? onlyType : types)
}

const NO_VALUES: readonly string[] = Object.freeze([])

/** Parses and compiles expressions, and caches recently used expressions. */
export class Planner {
  readonly #registry: Registry
  readonly #limits: Limits
  /**
   * The limits without `length`, which was checked for the caller's text. A template may be longer, because
   * an index may be longer than the value that it replaces.
   */
  readonly #templateLimits: Limits
  /** The declarations by version. */
  readonly #declarationsByVersion = new Map<string, Declarations>()
  /**
   * The cached expressions by text. Every expression with slots is cached as a template, so a template never
   * has the same text as an expression without slots.
   */
  readonly #cache = new BoundedMap<CachedExpression>(MAX_CACHE_WEIGHT, ({ weight }) => weight)

  constructor(registry: Registry, limits: Limits) {
    this.#registry = registry
    this.#limits = limits
    this.#templateLimits = { ...limits, length: Number.POSITIVE_INFINITY }
  }

  /** The number of texts in the cache, and their total weight. */
  get cacheStats(): { readonly texts: number; readonly weight: number } {
    return { texts: this.#cache.size, weight: this.#cache.weight }
  }

  /**
   * Parses an expression.
   *
   * @throws GraphError if the syntax is invalid or a limit is exceeded. @throws TypeError if `fields` is
   * neither a string nor an array of strings.
   */
  parse(fields: unknown): ParsedFields {
    const fieldsText = toExpressionText(fields)
    const cachedExpression = this.#cache.get(fieldsText)
    // A caller may send a text that equals the text of a template. In that case, the numbers in the text are
    // values, not indexes.
    if (cachedExpression !== undefined && !cachedExpression.isTemplate)
      return { cachedExpression, slotValues: NO_VALUES }
    // The names in an expression are slices of its text. Without a copy, they would keep a larger text of the
    // caller in memory.
    const text = copyText(fieldsText)
    const expression = parseFields(text, this.#limits)
    if (!this.#hasSlots(expression))
      return { cachedExpression: this.#cacheExpression(text, expression, false), slotValues: NO_VALUES }
    const template = templateOf(expression, this.#registry.isSlotParameter)
    const cachedTemplate = this.#cache.get(template.text)
    return {
      cachedExpression: cachedTemplate ?? this.#cacheTemplate(template.text),
      slotValues: template.values,
    }
  }

  /** Returns the plan of fields if it is cached. */
  findPlan({ cachedExpression }: ParsedFields, target: PlanTarget): Plan | undefined {
    return cachedExpression.plansByVersion.get(target.version)?.get(toPlanKey(target))
  }

  plan({ cachedExpression }: ParsedFields, target: PlanTarget): Plan {
    const { version } = target
    const key = toPlanKey(target)
    const plans: PlansByTarget = cachedExpression.plansByVersion.get(version) ?? new Map()
    const cachedPlan = plans.get(key)
    if (cachedPlan !== undefined) return cachedPlan
    const plan = this.compileUncached(cachedExpression.expression, target)
    cachedExpression.plansByVersion.set(version, plans.set(key, plan))
    this.#cache.delete(cachedExpression.text)
    cachedExpression.weight += plan.weight
    this.#cache.set(cachedExpression.text, cachedExpression)
    return plan
  }

  /**
   * Parses an expression without the cache. If the expression has slots, returns its template.
   *
   * @throws GraphError if the syntax is invalid or a limit is exceeded. @throws TypeError if `fields` is
   * neither a string nor an array of strings.
   */
  parseUncached(fields: unknown): FieldExpression {
    const expression = parseFields(toExpressionText(fields), this.#limits)
    if (!this.#hasSlots(expression)) return expression
    return this.#parseTemplate(templateOf(expression, this.#registry.isSlotParameter).text)
  }

  /** Compiles an expression without the cache. */
  compileUncached(expression: FieldExpression, { version, types, edge }: PlanTarget): Plan {
    const declarations = this.#declarationsByVersion.get(version) ?? new Declarations(this.#registry, version)
    this.#declarationsByVersion.set(version, declarations)
    return compile({ declarations, types, edge: edge?.type, expression, maxPageSize: this.#limits.page })
  }

  /** Returns the expression of a call with its values, for a link. */
  toExpression({ cachedExpression, slotValues: values }: ParsedFields): FieldExpression {
    const { expression } = cachedExpression
    return values.length === 0 ? expression : fillSlots(expression, values, this.#registry.isSlotParameter)
  }

  #hasSlots(expression: FieldExpression): boolean {
    return expression.some(item => hasSlots(item, this.#registry.isSlotParameter))
  }

  /**
   * Parses the text of a template. The caller's expression is not reused, because its names are slices of a
   * text with all values.
   */
  #parseTemplate(text: string): FieldExpression {
    return parseFields(text, this.#templateLimits)
  }

  #cacheTemplate(text: string): CachedExpression {
    return this.#cacheExpression(text, this.#parseTemplate(text), true)
  }

  #cacheExpression(text: string, expression: FieldExpression, isTemplate: boolean): CachedExpression {
    const weight = flattenItems(expression).length + Math.ceil(text.length / CHARACTERS_PER_UNIT)
    const cachedExpression = {
      text,
      isTemplate,
      expression,
      plansByVersion: new Map<string, PlansByTarget>(),
      weight,
    }
    this.#cache.set(text, cachedExpression)
    return cachedExpression
  }
}
