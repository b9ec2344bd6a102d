import fc, { type Arbitrary } from 'fast-check'
import { type WorldOptions, worlds } from './graph-arbitraries.ts'
import type { World } from './naive-graph/world.ts'
import { readyMadePolicy } from './policy-arbitraries.ts'
import { fitSchema } from './policy-fitter.ts'
import { mapValues, TYPES } from './schema-arbitraries.ts'

/** Worlds whose nodes mostly have policies that a store can filter by: of ready-made rules that allow or skip. */
export const readyMadeWorlds = (options: WorldOptions = {}): Arbitrary<World> =>
  fc
    .tuple(worlds({ ...options, hasPolicies: true }), fc.tuple(...TYPES.map(() => readyMadePolicy)))
    .map(([world, policies]) => {
      const types = mapValues(world.schema.types, (type, name) => {
        const policy = policies[TYPES.indexOf(name)]
        return policy === undefined ? type : { ...type, policy }
      })
      return { ...world, schema: fitSchema({ ...world.schema, types }) }
    })
