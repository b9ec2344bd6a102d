import type { FieldExpression } from '../../../fields/expression.ts'
import type { SchemaView } from '../../schema-view.ts'
import { type Place, placeAt } from '../schema/lookup.ts'
import { entriesIn, idIn, isRecord, type Json, type JsonRecord } from './json.ts'

/** A node in an answer: its type where the schema leaves no choice. */
export type FoundNode = {
  readonly id: string
  readonly type: string | undefined
  readonly record: JsonRecord
}

/** A page or a ref in an answer, below a node. */
export type FoundEdge = { readonly source: string; readonly name: string; readonly target: string }

/** What is known of an answer before it is read. */
export type AnswerContext = {
  readonly schema: SchemaView
  readonly root: Place
  readonly expression: FieldExpression
  /** The node and the edge that the answer is a page of. */
  readonly of: { readonly id: string; readonly type: string | undefined; readonly edge: string } | undefined
}

/** What an answer tells of the graph. */
export type Found = { readonly nodes: readonly FoundNode[]; readonly edges: readonly FoundEdge[] }

type Spot = {
  readonly place: Place
  readonly expression: FieldExpression
  readonly from: Omit<FoundEdge, 'target'> | undefined
}

class AnswerReader {
  readonly nodes: FoundNode[] = []
  readonly edges: FoundEdge[] = []
  readonly #schema: SchemaView

  constructor(schema: SchemaView) {
    this.#schema = schema
  }

  read(value: Json, spot: Spot): void {
    const entries = entriesIn(value)
    const id = idIn(value)
    if (entries !== undefined && id === undefined) for (const entry of entries) this.read(entry, spot)
    else if (id !== undefined && isRecord(value)) this.#node(id, value, spot)
  }

  #node(id: string, record: JsonRecord, { place, expression, from }: Spot): void {
    const [type, ...others] = place.types
    const told = isRecord(record.metadata) && typeof record.metadata.type === 'string' && record.metadata.type
    this.nodes.push({ id, type: told || (others.length === 0 ? type : undefined), record })
    if (from !== undefined) this.edges.push({ ...from, target: id })
    for (const [key, value] of Object.entries(record)) {
      if (!isRecord(value) || key === 'metadata') continue
      const item = expression.find(one => one.key === key)
      const name = item?.name ?? key
      const below = placeAt(this.#schema, place, [name])
      this.read(value, { place: below, expression: item?.fields ?? [], from: { source: id, name } })
    }
  }
}

/** Finds the nodes and edges of an answer: any object with an id, and the page or ref that it stands in. */
export const readAnswer = (answer: Json, { schema, root, expression, of }: AnswerContext): Found => {
  const reader = new AnswerReader(schema)
  const from = of && { source: of.id, name: of.edge }
  const source = of?.type === undefined ? [] : [{ id: of.id, type: of.type, record: {} }]
  reader.read(answer, { place: root, expression, from })
  return { nodes: [...source, ...reader.nodes], edges: reader.edges }
}
