import { parse, validate } from 'graphql'
import { socialSchema } from 'kithgraph'
import { parseFields } from '../../src/fields/parse.ts'
import { compile } from '../../src/plan/compile.ts'
import { limitsOf } from '../../src/plan/limits.ts'
import { Registry } from '../../src/schema/registry.ts'
import { GRAPHQL_SCHEMA } from '../contenders/graphql-schema.ts'
import { PHOTOS, PHOTOS_QUERY } from '../data/expressions.ts'
import { compare } from '../measure/compare.ts'
import type { Row } from './row.ts'

const compileExpression = () => {
  const registry = new Registry(socialSchema, undefined)
  const limits = limitsOf(undefined)
  return () =>
    compile({
      registry,
      version: registry.version(undefined),
      types: socialSchema.viewers,
      edge: undefined,
      expression: parseFields(PHOTOS, limits),
      largestPage: limits.page,
    })
}

const compileQuery = () => {
  const errors = validate(GRAPHQL_SCHEMA, parse(PHOTOS_QUERY))
  if (errors[0] !== undefined) throw errors[0]
}

export const createCompileRow = (): Row => ({
  name: 'compile',
  title: 'compiling the expression of 71 nodes, past the cache',
  measure: () =>
    compare({ name: 'kithgraph', call: compileExpression(), bar: { atMost: 10 } }, [
      { name: 'graphql parse + validate', call: compileQuery, bar: { atLeast: 8 } },
    ]),
})
