import { GraphError, isGraphError } from '../../../src/base/errors.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

const CONDITIONS = 'conditions'

/** Creates a store that changes the errors of conflicts. */
const sabotageErrors = (
  name: string,
  section: string,
  rewrite: (error: GraphError, mutations: readonly StoreMutation[]) => unknown,
): Sabotage =>
  sabotageModel(name, section, store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (error) {
        throw isGraphError(error) && error.reason === 'conflict' ? rewrite(error, mutations) : error
      }
    },
  }))

const rewriteData = (data: (error: GraphError) => JsonObject) => (error: GraphError) =>
  new GraphError('conflict', error.message, data(error), { cause: error.cause })

/** Stores whose errors of conditions are wrong. */
export const conflictSabotages: readonly Sabotage[] = [
  sabotageErrors(
    'a conflict that is invalid_mutation',
    CONDITIONS,
    ({ message, data }) => new GraphError('invalid_mutation', message, data),
  ),
  sabotageErrors(
    'a conflict that is a failure of the store',
    CONDITIONS,
    ({ message }) => new Error(message),
  ),
  sabotageErrors(
    'a conflict without a path',
    CONDITIONS,
    rewriteData(({ data }) => ({ index: Number(data.index) })),
  ),
  sabotageErrors(
    'a conflict with the path of another condition',
    CONDITIONS,
    rewriteData(({ data }) => ({ ...data, path: 'when.exists' })),
  ),
  sabotageErrors(
    'a conflict whose data contains what was found',
    CONDITIONS,
    rewriteData(({ data, cause }) => ({ ...data, found: JSON.stringify(cause) })),
  ),
  sabotageErrors(
    'a conflict whose message contains what was found',
    CONDITIONS,
    ({ data, cause }) => new GraphError('conflict', `(#100) Found ${JSON.stringify(cause)}`, data, { cause }),
  ),
  sabotageErrors(
    'a conflict that loses what was found',
    CONDITIONS,
    ({ message, data }) => new GraphError('conflict', message, data),
  ),
  sabotageErrors(
    'a conflict with the index of the last mutation',
    'batches with conditions',
    ({ message, data }, mutations) =>
      new GraphError('conflict', message, { ...data, index: mutations.length - 1 }),
  ),
]
