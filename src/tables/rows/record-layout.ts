import type { NodeId } from '../../base/ids.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { FieldMapping, TypeMapping } from '../model/table-model.ts'
import { createIdReader, type IdReader } from './row-ids.ts'
import { createValueReader } from './stored-values.ts'

/** A selected row: its values in the order of the columns of a layout. */
export type SelectedRow = readonly JsonValue[]

/** Reads one field from a row. Returns undefined if the row has no value. */
type FieldReader = {
  readonly name: string
  readonly read: (row: SelectedRow, start: number) => JsonValue | undefined
}

const createFieldReader = (field: FieldMapping, offset: number): FieldReader => {
  if (field.kind === 'ref') {
    const readId = createIdReader(field.target)
    return { name: field.name, read: (row, start) => readId(row, start + offset) }
  }
  const readValue = createValueReader(field.column, field.form)
  return {
    name: field.name,
    read: (row, start) => {
      const value = row[start + offset]
      return value === null || value === undefined ? undefined : readValue(value)
    },
  }
}

/** Where the columns of some fields are in a row, and how their values are read. It is created once for a shape. */
export class FieldsLayout {
  readonly fields: readonly FieldMapping[]
  /** The number of columns. */
  readonly width: number
  readonly #readers: readonly FieldReader[]

  constructor(fields: readonly FieldMapping[]) {
    this.fields = fields
    let width = 0
    this.#readers = fields.map(field => {
      const reader = createFieldReader(field, width)
      width += field.kind === 'ref' ? field.columns.length : 1
      return reader
    })
    this.width = width
  }

  /** Reads the fields from the columns that begin at an index. */
  read(row: SelectedRow, start: number): JsonObject {
    const values: { [name: string]: JsonValue } = {}
    // An iterator would be allocated for each row.
    for (let index = 0; index < this.#readers.length; index++) {
      const reader = this.#readers[index]
      const value = reader?.read(row, start)
      if (reader !== undefined && value !== undefined) values[reader.name] = value
    }
    return values
  }
}

/** A node that was read from a row, without what was read ahead. */
export type RowRecord = { readonly id: NodeId; readonly type: string; readonly fields: JsonObject }

/** The layout of a record: the columns of its key, then those of its fields. */
export class RecordLayout {
  readonly type: TypeMapping
  readonly fields: readonly FieldMapping[]
  readonly width: number
  readonly #fieldsStart: number
  readonly #fieldsLayout: FieldsLayout
  readonly #readId: IdReader

  constructor(type: TypeMapping, fields: readonly FieldMapping[]) {
    this.type = type
    this.fields = fields
    this.#fieldsStart = type.keys.length
    this.#fieldsLayout = new FieldsLayout(fields)
    this.width = this.#fieldsStart + this.#fieldsLayout.width
    this.#readId = createIdReader(type)
  }

  /** Reads the id of a record whose columns begin at an index. */
  readId(row: SelectedRow, start: number): NodeId | undefined {
    return this.#readId(row, start)
  }

  /** Reads the fields of a record whose columns begin at an index. */
  readFields(row: SelectedRow, start: number): JsonObject {
    return this.#fieldsLayout.read(row, start + this.#fieldsStart)
  }

  /** Reads the record whose columns begin at an index. Returns undefined if the row is not a node. */
  read(row: SelectedRow, start: number): RowRecord | undefined {
    const id = this.#readId(row, start)
    return id === undefined ? undefined : { id, type: this.type.name, fields: this.readFields(row, start) }
  }
}
