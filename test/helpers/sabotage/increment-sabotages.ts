import type { JsonObject } from '../../../src/base/json.ts'
import type { Increment } from '../../../src/store/conditional.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { findRecord, type Sabotage, sabotageMutation } from './sabotage.ts'

type Patch = Extract<StoreMutation, { op: 'patchNode' }>

/** Creates a store that changes each patch with increments before it writes the patch. */
const sabotagePatches = (
  name: string,
  rewrite: (patch: Patch, found: JsonObject) => StoreMutation,
): Sabotage =>
  sabotageMutation(name, 'increments', (mutation, model) =>
    mutation.op === 'patchNode' && mutation.increment !== undefined
      ? rewrite(mutation, findRecord(model, mutation))
      : mutation,
  )

/** Creates a store that changes each increment before it applies the increment. */
const sabotageIncrements = (name: string, rewrite: (increment: Increment) => Increment): Sabotage =>
  sabotagePatches(name, patch => ({
    ...patch,
    increment: Object.fromEntries(
      Object.entries(patch.increment ?? {}).map(([name, increment]) => [name, rewrite(increment)]),
    ),
  }))

/** Stores that increment values wrongly. */
export const incrementSabotages: readonly Sabotage[] = [
  sabotagePatches('increments that are ignored', ({ increment: _, ...patch }) => patch),
  sabotagePatches('increments that replace the value', ({ increment = {}, ...patch }) => ({
    ...patch,
    fields: Object.fromEntries(Object.entries(increment).map(([name, { by }]) => [name, by])),
  })),
  sabotagePatches('increments that keep a missing value missing', (patch, found) => ({
    ...patch,
    increment: Object.fromEntries(
      Object.entries(patch.increment ?? {}).filter(([name]) => Object.hasOwn(found, name)),
    ),
  })),
  sabotagePatches('patches that apply only the first increment', patch => ({
    ...patch,
    increment: Object.fromEntries(Object.entries(patch.increment ?? {}).slice(0, 1)),
  })),
  sabotagePatches('increments without the fields of their patch', patch => ({ ...patch, fields: {} })),
  sabotagePatches('increments without the condition of their patch', patch => ({
    ...patch,
    when: undefined,
  })),
  sabotagePatches('text that is incremented as a number', (patch, found) => ({
    ...patch,
    fields: {
      ...Object.fromEntries(
        Object.keys(patch.increment ?? {}).flatMap(name =>
          typeof found[name] === 'string' ? [[name, Number(found[name])]] : [],
        ),
      ),
      ...patch.fields,
    },
  })),
  sabotagePatches('an increment of a missing node that creates the node', (patch, found) =>
    Object.keys(found).length === 0
      ? { op: 'putNode', node: { id: patch.id, type: 'thing', fields: {} } }
      : patch,
  ),
  sabotageIncrements('increments that are rounded to integers', increment => ({
    ...increment,
    by: Math.trunc(increment.by),
  })),
  sabotageIncrements('limits that are ignored', increment => ({
    ...increment,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
  })),
  sabotageIncrements('limits that exclude themselves', increment => ({
    ...increment,
    min: increment.min + 1,
    max: increment.max - 1,
  })),
  sabotageIncrements('increments that may make a number with decimals of an integer', increment => ({
    ...increment,
    isInteger: false,
  })),
]
