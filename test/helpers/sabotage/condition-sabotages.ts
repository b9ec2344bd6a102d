import { conflictError, isGraphError } from '../../../src/base/errors.ts'
import { isObject, isSameJson, type JsonObject, type JsonValue } from '../../../src/base/json.ts'
import type { WriteCondition } from '../../../src/store/conditional.ts'
import type { StoreReadOptions } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../src/store/requests.ts'
import { applyMutation, type Model, readModel } from '../../../src/testing/model.ts'
import { createModelStoreWith } from '../../../src/testing/model-store.ts'
import { findRecord, type Sabotage, sabotageModel, sabotageMutation } from './sabotage.ts'
import { createSourceModelStore } from './source-model-store.ts'

const CONDITIONS = 'conditions'
const BATCHES = 'batches with conditions'

const READ_OPTIONS: StoreReadOptions = { signal: undefined, deadline: undefined, minRevision: undefined }

/** Creates a store that changes each condition before it evaluates the condition. */
const sabotageConditions = (
  name: string,
  rewrite: (when: WriteCondition, mutation: StoreMutation, model: Model) => WriteCondition | undefined,
  section = CONDITIONS,
): Sabotage =>
  sabotageMutation(name, section, (mutation, model) =>
    'when' in mutation && mutation.when !== undefined
      ? { ...mutation, when: rewrite(mutation.when, mutation, model) }
      : mutation,
  )

/** Creates a store that changes the values of each condition before it evaluates the condition. */
const sabotageValues = (
  name: string,
  rewrite: (fields: JsonObject, found: JsonObject) => JsonObject,
): Sabotage =>
  sabotageConditions(name, (when, mutation, model) =>
    'fields' in when ? { fields: rewrite(when.fields, findRecord(model, mutation)) } : when,
  )

/** Replaces the expected values that a wrong comparison finds equal by the values that are stored. */
const compareWith =
  (isEqual: (found: JsonValue, expected: JsonValue) => boolean) =>
  (fields: JsonObject, found: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).map(([name, expected]) => {
        const value = (Object.hasOwn(found, name) ? found[name] : null) ?? null
        return [name, isEqual(value, expected) ? value : `not ${JSON.stringify(value)}`]
      }),
    )

/** Evaluates all conditions before it writes the batch, in which they no longer occur. */
const evaluateFirst: Sabotage = sabotageModel(
  'conditions that are evaluated before the batch',
  BATCHES,
  store => ({
    write: async (mutations, options) => {
      for (const [index, mutation] of mutations.entries()) {
        const id = 'node' in mutation ? mutation.node.id : 'id' in mutation ? mutation.id : undefined
        if (id === undefined || !('when' in mutation) || mutation.when === undefined) continue
        const request = { nodes: [id], ranges: [], checks: [], tokens: [] }
        const node = (await store.read(request, READ_OPTIONS)).nodes[0]
        if ('exists' in mutation.when && mutation.when.exists !== (node !== undefined))
          throw conflictError(index, 'when.exists', node)
      }
      const isOfNode = ({ op }: StoreMutation): boolean => op.endsWith('Node')
      const evaluated = mutations.map(mutation =>
        isOfNode(mutation) && 'when' in mutation && mutation.when !== undefined && 'exists' in mutation.when
          ? { ...mutation, when: undefined }
          : mutation,
      )
      return store.write(evaluated, options)
    },
  }),
)

/** Whether a value is an object or a list without members. */
const isEmptyObject = (value: JsonValue): boolean => isObject(value) && Object.keys(value).length === 0

const looksEqual = (found: JsonValue, expected: JsonValue): boolean =>
  String(found ?? '') === String(expected ?? '')

/** Stores that evaluate conditions wrongly. */
export const conditionSabotages: readonly Sabotage[] = [
  sabotageConditions('conditions that are ignored', () => undefined),
  ...(['putNode', 'patchNode', 'deleteNode', 'putEdge', 'deleteEdge'] as const).map(op =>
    sabotageConditions(`conditions of ${op} that are ignored`, (when, mutation) =>
      mutation.op === op ? undefined : when,
    ),
  ),
  sabotageConditions('existence that is not checked', when => ('exists' in when ? undefined : when)),
  sabotageConditions('a missing record that is accepted if the record must exist', when =>
    'exists' in when && when.exists ? undefined : when,
  ),
  sabotageConditions('a missing record that has no values', (when, mutation, model) =>
    'fields' in when && findRecord(model, mutation).role === undefined ? undefined : when,
  ),
  sabotageConditions('an edge without data that does not exist', (when, mutation, model) =>
    'edge' in mutation && Object.keys(findRecord(model, mutation)).length === 0 ? { exists: false } : when,
  ),
  sabotageValues('values that are not compared', () => ({})),
  sabotageValues('only the first value is compared', fields =>
    Object.fromEntries(Object.entries(fields).slice(0, 1)),
  ),
  sabotageValues('null that is not compared', fields =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  ),
  sabotageValues('inherited members that exist', (fields, found) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        value === null && !Object.hasOwn(found, name) && name in found ? 'inherited' : value,
      ]),
    ),
  ),
  sabotageValues(
    'objects that are compared in the order of their names',
    compareWith((found, expected) => JSON.stringify(found) === JSON.stringify(expected)),
  ),
  sabotageValues('values that are compared as text', compareWith(looksEqual)),
  sabotageValues(
    'empty lists that are stored as empty objects',
    compareWith(
      (found, expected) => isSameJson(found, expected) || (isEmptyObject(found) && isEmptyObject(expected)),
    ),
  ),
  evaluateFirst,
  sabotageModel('a batch that is written up to the condition that fails', BATCHES, store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (error) {
        if (isGraphError(error) && error.reason === 'conflict')
          await store.write(mutations.slice(0, Number(error.data.index)), options)
        throw error
      }
    },
  })),
  sabotageConditions(
    'a condition of a mirrored edge that is evaluated on the other side',
    (when, mutation, model) => {
      const mirror = 'mirror' in mutation ? mutation.mirror : undefined
      if (mirror === undefined || !('exists' in when)) return when
      const checks = 'edge' in mutation ? [mutation.edge, mirror] : []
      const [exists, isOther] = readModel(model, { ...EMPTY_REQUEST, checks }).checks
      return isOther === when.exists ? undefined : { exists: exists !== true }
    },
    BATCHES,
  ),
  sabotageMutation(
    'a mirrored edge with a condition that is written without its mirror',
    BATCHES,
    mutation => ('mirror' in mutation && 'when' in mutation ? { ...mutation, mirror: undefined } : mutation),
  ),
  {
    name: 'a store with atomicity source that writes a conditional batch of several sources',
    section: BATCHES,
    create: () => {
      const { capabilities } = createSourceModelStore()
      return { ...createModelStoreWith({ apply: applyMutation, read: readModel }), capabilities }
    },
  },
]
