import type { WantedFields } from '../store/contract.ts'
import { FieldsByType } from '../store/wanted-fields.ts'
import { getOwn } from './node.ts'
import { ReadNames } from './read-names.ts'
import type { Schema } from './schema.ts'

/** Creates the fields that the policies of all types read, and the given edge of each type that has it. */
const findFields = ({ types }: Schema, edgeName: string | undefined): WantedFields => {
  const fields = new FieldsByType()
  for (const [name, { policy, edges }] of Object.entries(types)) {
    const reads = new ReadNames()
    reads.addPolicy(policy)
    const edge = edgeName === undefined ? undefined : getOwn(edges, edgeName)
    reads.addPolicy(edge?.policy)
    if (edge?.resolve !== undefined) reads.addReads(edge.reads)
    const { names } = reads
    if (names?.size !== 0) fields.set(name, names)
  }
  return fields
}

/** The fields of nodes that are read only for their policies, or as the sources of an edge. */
export class SourceFields {
  readonly #schema: Schema
  #policyFields: WantedFields | undefined
  readonly #fieldsByEdge = new Map<string, WantedFields>()

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** The fields that the policies of the types read. */
  get policyFields(): WantedFields {
    this.#policyFields ??= findFields(this.#schema, undefined)
    return this.#policyFields
  }

  /** Returns the fields that the policies of a source and of its edge read, and a computed edge itself. */
  ofEdge(edge: string): WantedFields {
    const known = this.#fieldsByEdge.get(edge)
    if (known !== undefined) return known
    // Names that callers made up are not kept.
    if (!Object.values(this.#schema.types).some(({ edges }) => Object.hasOwn(edges, edge)))
      return this.policyFields
    const fields = findFields(this.#schema, edge)
    this.#fieldsByEdge.set(edge, fields)
    return fields
  }
}
