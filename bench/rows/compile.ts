import { parse, validate } from 'graphql'
import { createCompiler } from '../contenders/compiler.ts'
import { GRAPHQL_SCHEMA } from '../contenders/graphql-schema.ts'
import { PHOTOS_QUERY } from '../data/expressions.ts'
import { compare } from '../measure/compare.ts'
import type { Row } from './row.ts'

const compileQuery = () => {
  const errors = validate(GRAPHQL_SCHEMA, parse(PHOTOS_QUERY))
  if (errors[0] !== undefined) throw errors[0]
}

export const createCompileRow = (): Row => ({
  name: 'compile',
  title: 'compiling the expression of the query for 71 nodes, without the cache',
  measure: () =>
    compare({ name: 'kithgraph', call: createCompiler(), bar: { max: 10 } }, [
      { name: 'graphql parse + validate', call: compileQuery, bar: { min: 8 } },
    ]),
})
