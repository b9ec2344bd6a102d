import type { JsonObject } from '../../base/json.ts'
import { isInVersion } from '../../base/version.ts'
import { pictureSizeParameters, pictureType } from '../../schema/picture-type.ts'
import type { Schema } from '../../schema/schema.ts'
import { edgesByName } from './edge-holders.ts'
import { operationObject } from './operation.ts'
import { TOKEN_PARAMETERS } from './parameters.ts'
import { schemaRef } from './references.ts'
import { valueSchemaOf } from './value-schemas.ts'

/** The fields that are pictures in a version, and no edge of any type. */
const picturesOf = (schema: Schema, version: string, holders: readonly string[]): readonly string[] => {
  const edges = edgesByName(schema)
  const names = holders.flatMap(holder =>
    Object.entries(schema.types[holder]?.fields ?? {}).flatMap(([name, field]) =>
      field.kind === 'value' && field.type === pictureType && isInVersion(field, version) ? [name] : [],
    ),
  )
  return [...new Set(names)].filter(name => !edges.has(name))
}

const choices: readonly JsonObject[] = [
  ...Object.entries(pictureSizeParameters).map(([name, type]) => ({
    name,
    in: 'query',
    description: 'Chooses among the sizes: the smallest that is large enough.',
    schema: valueSchemaOf(type).schema,
  })),
  {
    name: 'redirect',
    in: 'query',
    description: 'Whether to be sent to the picture, instead of being told of it.',
    schema: { type: 'boolean', default: true },
  },
]

const sent: JsonObject = {
  description: 'The picture is there; with `redirect` true.',
  headers: {
    Location: { description: 'The URL of the picture.', required: true, schema: { type: 'string' } },
  },
}

const picture = (operationId: string, summary: string, root: readonly string[]): JsonObject => ({
  get: operationObject({
    operationId,
    tag: 'Pictures',
    summary,
    parameters: [...root, ...choices, 'node_type', ...TOKEN_PARAMETERS],
    answer: schemaRef('Picture'),
    responses: { 302: sent },
  }),
})

/** The paths to pictures: fields that are answered where edges are, for whoever puts them into a page. */
export const picturePaths = (schema: Schema, version: string): JsonObject => {
  const ofViewer = picturesOf(schema, version, schema.viewers).map(name => [
    `/me/${name}`,
    picture(`getMe_${name}`, `The ${name} of the viewer`, []),
  ])
  const ofNode = picturesOf(schema, version, Object.keys(schema.types)).map(name => [
    `/{id}/${name}`,
    picture(`getNode_${name}`, `The ${name} of a node`, ['id']),
  ])
  return Object.fromEntries([...ofViewer, ...ofNode])
}
