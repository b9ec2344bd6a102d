import { socialSchema } from 'kithgraph'
import { parseFields } from '../../src/fields/parse.ts'
import { compile } from '../../src/plan/compile.ts'
import { Declarations } from '../../src/plan/declarations.ts'
import { resolveGraphLimits } from '../../src/plan/limits.ts'
import { Registry } from '../../src/schema/registry.ts'
import { PHOTOS } from '../data/expressions.ts'

/** Compiles the expression of the 71-node read without the plan cache. */
export const createCompiler = () => {
  const registry = new Registry(socialSchema, undefined)
  const declarations = new Declarations(registry, registry.resolveVersion(undefined))
  const limits = resolveGraphLimits(undefined)
  return () =>
    compile({
      declarations,
      types: socialSchema.viewers,
      edge: undefined,
      expression: parseFields(PHOTOS, limits),
      maxPageSize: limits.page,
    })
}
