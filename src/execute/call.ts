import { isPublicId } from '../access/app-ids/app-ids.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isNodeId } from '../base/ids.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import type { CallOptions, Description, Remarks, Selection, Token } from './call-options.ts'

/** What every read takes, whatever its schema. */
export type Call = Selection & Description & Remarks & CallOptions

/** Whom a call is made for; without a token, nobody. */
export type Caller = Token | undefined

/** The options that every read takes. */
export const CALL = {
  fields: 'any',
  metadata: 'boolean',
  version: 'text',
  signal: 'any',
  atLeast: 'text',
  debug: 'any',
  partial: 'boolean',
  proof: 'text',
} as const satisfies OptionKinds

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
  const { fields, signal, debug }: { readonly [name: string]: unknown } = { ...call }
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

/** @throws GraphError `bad_parameter` for anything but an id, an app-scoped one where there are any, or `me`. */
export const assertId = (parameter: string, id: unknown, isAppScoped: boolean): void => {
  if (id === 'me' || isNodeId(id) || (isAppScoped && typeof id === 'string' && isPublicId(id))) return
  const digits = isAppScoped ? 20 : 19
  throw badParameter(parameter, `a number of at most ${digits} digits as text, or me`, describe(id))
}
