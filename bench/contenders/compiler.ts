import { socialSchema } from 'kithgraph'
import { parseFields } from '../../src/fields/parse.ts'
import { compile } from '../../src/plan/compile.ts'
import { Declarations } from '../../src/plan/declarations.ts'
import { limitsOf } from '../../src/plan/limits.ts'
import { Registry } from '../../src/schema/registry.ts'
import { PHOTOS } from '../data/expressions.ts'

/** Compiles the expression of the 71-node read, past the cache of plans. */
export const createCompiler = () => {
  const registry = new Registry(socialSchema, undefined)
  const declarations = new Declarations(registry, registry.version(undefined))
  const limits = limitsOf(undefined)
  return () =>
    compile({
      declarations,
      types: socialSchema.viewers,
      edge: undefined,
      expression: parseFields(PHOTOS, limits),
      largestPage: limits.page,
    })
}
