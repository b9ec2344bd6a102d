import type { SchemaView } from '../../schema-view.ts'

const COLOUR_COUNT = 8

/**
 * Returns the class with the colour of a type. The class depends on the position of the type in the schema,
 * so that the colour never changes.
 */
export const typeClassName = (schema: SchemaView | undefined, type: string | undefined): string => {
  const index = schema?.types.findIndex(({ name }) => name === type) ?? -1
  return index < 0 ? 'type-unknown' : `type-${index % COLOUR_COUNT}`
}

/** Returns the class that colours a status. */
export const statusClassName = (status: number): 'good' | 'bad' => (status < 400 ? 'good' : 'bad')
