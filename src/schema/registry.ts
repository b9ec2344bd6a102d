import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isVersion, resolveVersion } from '../base/version.ts'
import type { EdgeType } from './edge.ts'
import type { Field } from './field.ts'
import type { NodeType } from './node.ts'
import { own } from './own.ts'
import type { Schema } from './schema.ts'

const hasPolicy = ({ policy, fields, edges }: NodeType): boolean =>
  [{ policy }, ...Object.values(fields), ...Object.values(edges)].some(part => part.policy !== undefined)

/** Looks things up in a schema. Names come from callers: what is not declared is undefined, whatever its name. */
export class Registry {
  readonly schema: Schema
  /** Whether anything in the schema is under a policy. */
  readonly isPoliced: boolean
  readonly #defaultVersion: string
  readonly #holders = new Map<string, string[]>()

  constructor(schema: Schema, defaultVersion: string | undefined) {
    this.schema = schema
    this.#defaultVersion = defaultVersion ?? schema.versions.at(-1) ?? ''
    this.isPoliced = Object.values(schema.types).some(hasPolicy)
    for (const [name, type] of Object.entries(schema.types)) {
      for (const edge of Object.keys(type.edges)) this.#holders.set(edge, [...this.holdersOf(edge), name])
    }
  }

  type(name: string): NodeType | undefined {
    return own(this.schema.types, name)
  }

  /** @throws TypeError for a type that is not declared: the calling code names types, no user does. */
  assertType(place: string, name: unknown): void {
    if (typeof name === 'string' && this.type(name) !== undefined) return
    const known = Object.keys(this.schema.types).join(', ')
    throw new TypeError(`${place}: type must be one of ${known}, came ${describe(name)}`)
  }

  field(type: string, name: string): Field | undefined {
    const found = this.type(type)
    return found && own(found.fields, name)
  }

  edge(type: string, name: string): EdgeType | undefined {
    const found = this.type(type)
    return found && own(found.edges, name)
  }

  /** Whether an edge may lead to nodes under a policy, so that its lists have to be sifted. */
  isSifted({ targets }: EdgeType): boolean {
    return targets.some(target => this.type(target)?.policy !== undefined)
  }

  /** Whether an edge may lead to nodes whose ids differ from app to app. */
  isAppScoped({ targets }: EdgeType): boolean {
    return targets.some(target => this.type(target)?.appScoped)
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
}
