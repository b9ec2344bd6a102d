import type { JsonObject } from '../../base/json.ts'
import { isInVersion } from '../../base/version.ts'
import { pictureSizeParameters, pictureType } from '../../schema/picture-type.ts'
import type { Schema } from '../../schema/schema.ts'
import { groupEdgesByName } from './node-schemas.ts'
import { createOperation } from './operation.ts'
import { TOKEN_PARAMETER_NAMES } from './parameters.ts'
import { createSchemaRef, toValueSchema } from './value-schemas.ts'

/** Returns the names of the picture fields of a version, except names that are also edges of a type. */
const findPictureFieldNames = (
  schema: Schema,
  version: string,
  typeNames: readonly string[],
): readonly string[] => {
  const edgesByName = groupEdgesByName(schema)
  const fieldNames = typeNames.flatMap(typeName =>
    Object.entries(schema.types[typeName]?.fields ?? {}).flatMap(([name, field]) =>
      field.kind === 'value' && field.type === pictureType && isInVersion(field, version) ? [name] : [],
    ),
  )
  return [...new Set(fieldNames)].filter(name => !edgesByName.has(name))
}

const pictureParameters: readonly JsonObject[] = [
  ...Object.entries(pictureSizeParameters).map(([name, { type }]) => ({
    name,
    in: 'query',
    description: 'Selects the smallest size that is large enough.',
    schema: toValueSchema(type).schema,
  })),
  {
    name: 'redirect',
    in: 'query',
    description: 'Whether to redirect to the picture, instead of returning it as JSON.',
    schema: { type: 'boolean', default: true },
  },
]

const redirectResponse: JsonObject = {
  description: 'Redirects to the picture if `redirect` is true.',
  headers: {
    Location: { description: 'The URL of the picture.', required: true, schema: { type: 'string' } },
  },
}

const createPicturePath = (
  operationId: string,
  summary: string,
  rootParameters: readonly string[],
): JsonObject => ({
  get: createOperation({
    operationId,
    tag: 'Pictures',
    summary,
    parameters: [...rootParameters, ...pictureParameters, 'node_type', ...TOKEN_PARAMETER_NAMES],
    responseSchema: createSchemaRef('Picture'),
    responses: { 302: redirectResponse },
  }),
})

/**
 * Creates the paths of picture fields. Each path redirects to the picture, so that web pages can embed it.
 */
export const createPicturePaths = (schema: Schema, version: string): JsonObject => {
  const viewerPicturePaths = findPictureFieldNames(schema, version, schema.viewers).map(name => [
    `/me/${name}`,
    createPicturePath(`getMe_${name}`, `The ${name} of the viewer`, []),
  ])
  const nodePicturePaths = findPictureFieldNames(schema, version, Object.keys(schema.types)).map(name => [
    `/{id}/${name}`,
    createPicturePath(`getNode_${name}`, `The ${name} of a node`, ['id']),
  ])
  return Object.fromEntries([...viewerPicturePaths, ...nodePicturePaths])
}
