import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isVersion, resolveVersion } from '../base/version.ts'
import type { EdgeType } from './edge.ts'
import type { Field } from './field.ts'
import type { NodeType } from './node.ts'
import { countRulesWithChecks } from './policy.ts'
import type { Schema } from './schema.ts'

const hasPolicy = ({ policy, fields, edges }: NodeType): boolean =>
  [{ policy }, ...Object.values(fields), ...Object.values(edges)].some(part => part.policy !== undefined)

/** Whether anything in a schema is under a policy. */
export const isPoliced = (schema: Schema): boolean => Object.values(schema.types).some(hasPolicy)

/** What a type declares, by names that callers send. */
type Declared = {
  readonly type: NodeType
  readonly fields: ReadonlyMap<string, Field>
  readonly edges: ReadonlyMap<string, EdgeType>
  readonly defaults: readonly string[]
  readonly rulesWithChecks: number
}

const declaredBy = (type: NodeType): Declared => {
  const fields = Object.entries(type.fields)
  return {
    type,
    fields: new Map(fields),
    edges: new Map(Object.entries(type.edges)),
    defaults: fields.filter(([, field]) => field.default).map(([name]) => name),
    rulesWithChecks: countRulesWithChecks(type.policy),
  }
}

/** Looks things up in a schema. Names come from callers: what is not declared is undefined, whatever its name. */
export class Registry {
  readonly schema: Schema
  /** Whether anything in the schema is under a policy. */
  readonly isPoliced: boolean
  readonly #defaultVersion: string
  readonly #types: ReadonlyMap<string, Declared>
  readonly #holders = new Map<string, string[]>()
  readonly #sifted = new Set<EdgeType>()
  readonly #appScoped = new Set<EdgeType>()

  constructor(schema: Schema, defaultVersion: string | undefined) {
    this.schema = schema
    this.#defaultVersion = defaultVersion ?? schema.versions.at(-1) ?? ''
    this.isPoliced = isPoliced(schema)
    this.#types = new Map(Object.entries(schema.types).map(([name, type]) => [name, declaredBy(type)]))
    for (const [holder, type] of Object.entries(schema.types)) {
      for (const [name, edge] of Object.entries(type.edges)) this.#enter(holder, name, edge)
    }
  }

  type(name: string): NodeType | undefined {
    return this.#types.get(name)?.type
  }

  /** @throws TypeError for a type that is not declared: the calling code names types, no user does. */
  assertType(place: string, name: unknown): void {
    if (typeof name === 'string' && this.type(name) !== undefined) return
    const known = Object.keys(this.schema.types).join(', ')
    throw new TypeError(`${place}: type must be one of ${known}, came ${describe(name)}`)
  }

  field(type: string, name: string): Field | undefined {
    return this.#types.get(type)?.fields.get(name)
  }

  edge(type: string, name: string): EdgeType | undefined {
    return this.#types.get(type)?.edges.get(name)
  }

  /** The names of the fields of a type that are answered where none are asked for. */
  defaultsOf(type: string): readonly string[] {
    return this.#types.get(type)?.defaults ?? []
  }

  /** The number of rules with `tests` in the policy of a type: each of them is evaluated for each of its nodes. */
  rulesWithChecks(type: string): number {
    return this.#types.get(type)?.rulesWithChecks ?? 0
  }

  /** Whether an edge may lead to nodes under a policy, so that its lists have to be sifted. */
  isSifted(edge: EdgeType): boolean {
    return this.#sifted.has(edge)
  }

  /** Whether an edge may lead to nodes whose ids differ from app to app. */
  isAppScoped(edge: EdgeType): boolean {
    return this.#appScoped.has(edge)
  }

  /** The types that have an edge of that name. */
  holdersOf(edge: string): readonly string[] {
    return this.#holders.get(edge) ?? []
  }

  /** The declared version that serves the one asked. */
  version(asked: string | undefined): string {
    if (asked === undefined) return this.#defaultVersion
    if (!isVersion(asked)) throw badParameter('version', 'a version such as v1.0', describe(asked))
    return resolveVersion(this.schema.versions, asked)
  }

  #enter(holder: string, name: string, edge: EdgeType): void {
    this.#holders.set(name, [...this.holdersOf(name), holder])
    if (edge.targets.some(target => this.type(target)?.policy !== undefined)) this.#sifted.add(edge)
    if (edge.targets.some(target => this.type(target)?.appScoped)) this.#appScoped.add(edge)
  }
}
