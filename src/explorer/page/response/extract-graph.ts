import { isNonArrayObject, type JsonObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import type { SchemaView } from '../../schema-view.ts'
import { type ExpressionParent, parentAt } from '../schema/lookup.ts'
import { nodeIdOf, pageEntriesOf } from './json.ts'

/** A node in a response, with its type if the schema determines it. */
export type FoundNode = {
  readonly id: string
  readonly type: string | undefined
  readonly record: JsonObject
}

/** An edge from a node to an entry of a page or to a ref in a response. */
export type FoundEdge = { readonly source: string; readonly name: string; readonly target: string }

/** The request that a response belongs to. */
export type ResponseContext = {
  readonly schema: SchemaView
  readonly root: ExpressionParent
  readonly expression: FieldExpression
  /** The node and the edge of the page that the response contains. */
  readonly requestedEdge:
    | { readonly id: string; readonly type: string | undefined; readonly edge: string }
    | undefined
}

/** The nodes and edges in a response. */
export type FoundGraph = { readonly nodes: readonly FoundNode[]; readonly edges: readonly FoundEdge[] }

type ValuePosition = {
  readonly parent: ExpressionParent
  readonly expression: FieldExpression
  readonly incomingEdge: Omit<FoundEdge, 'target'> | undefined
}

class GraphReader {
  readonly nodes: FoundNode[] = []
  readonly edges: FoundEdge[] = []
  readonly #schema: SchemaView

  constructor(schema: SchemaView) {
    this.#schema = schema
  }

  read(value: JsonValue, position: ValuePosition): void {
    const pageEntries = pageEntriesOf(value)
    const id = nodeIdOf(value)
    if (pageEntries !== undefined && id === undefined)
      for (const entry of pageEntries) this.read(entry, position)
    else if (id !== undefined && isNonArrayObject(value)) this.#addNode(id, value, position)
  }

  #addNode(id: string, record: JsonObject, { parent, expression, incomingEdge }: ValuePosition): void {
    const [type, ...others] = parent.types
    const metadataType =
      isNonArrayObject(record.metadata) && typeof record.metadata.type === 'string' && record.metadata.type
    this.nodes.push({ id, type: metadataType || (others.length === 0 ? type : undefined), record })
    if (incomingEdge !== undefined) this.edges.push({ ...incomingEdge, target: id })
    for (const [key, value] of Object.entries(record)) {
      if (!isNonArrayObject(value) || key === 'metadata') continue
      const item = expression.find(candidate => candidate.key === key)
      const name = item?.name ?? key
      const childParent = parentAt(this.#schema, parent, [name])
      this.read(value, {
        parent: childParent,
        expression: item?.fields ?? [],
        incomingEdge: { source: id, name },
      })
    }
  }
}

/**
 * Extracts the nodes and edges from a response: all objects with an id, and the pages and refs that contain
 * them.
 */
export const extractGraph = (
  body: JsonValue,
  { schema, root, expression, requestedEdge }: ResponseContext,
): FoundGraph => {
  const reader = new GraphReader(schema)
  const incomingEdge = requestedEdge && { source: requestedEdge.id, name: requestedEdge.edge }
  const sourceNodes =
    requestedEdge?.type === undefined ? [] : [{ id: requestedEdge.id, type: requestedEdge.type, record: {} }]
  reader.read(body, { parent: root, expression, incomingEdge })
  return { nodes: [...sourceNodes, ...reader.nodes], edges: reader.edges }
}
