import { describe } from './describe.ts'
import { assertKinds, assertObject, type OptionKinds } from './options.ts'

const assertFields = (place: string, fields: unknown): void => {
  const isText =
    typeof fields === 'string' || (Array.isArray(fields) && fields.every(item => typeof item === 'string'))
  if (fields !== undefined && !isText) {
    throw new TypeError(`${place}: fields must be an expression or a list of them, came ${describe(fields)}`)
  }
}

/**
 * Refuses what the calling code got wrong, before anything is read.
 *
 * @throws TypeError for an unknown option or one of another kind.
 */
export const assertCall = (place: string, call: object, kinds: OptionKinds): void => {
  assertObject(place, call)
  assertKinds(place, call, kinds)
  const { fields, signal, debug } = call
  assertFields(place, fields)
  if (debug !== undefined && debug !== 'all')
    throw new TypeError(`${place}: debug must be 'all', came ${describe(debug)}`)
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new TypeError(`${place}: signal must be an AbortSignal, came ${describe(signal)}`)
  }
}

/** @throws TypeError where it is no text. */
export const assertText = (place: string, name: string, value: unknown): void => {
  if (typeof value !== 'string')
    throw new TypeError(`${place}: ${name} must be text, came ${describe(value)}`)
}

/** @throws TypeError where it is no list. */
export const assertIdList: (place: string, ids: unknown) => asserts ids is readonly unknown[] = (
  place,
  ids,
) => {
  if (!Array.isArray(ids)) throw new TypeError(`${place}: ids must be a list, came ${describe(ids)}`)
}
