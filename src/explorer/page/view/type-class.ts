import type { SchemaView } from '../../schema-view.ts'

const COLOURS = 8

/** The class that gives nodes of a type their colour: by its place in the schema, so that it never changes. */
export const typeClass = (schema: SchemaView | undefined, type: string | undefined): string => {
  const place = schema?.types.findIndex(({ name }) => name === type) ?? -1
  return place < 0 ? 'type-unknown' : `type-${place % COLOURS}`
}
