import { isPublicId } from '../access/app-ids/app-ids.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isNodeId } from '../base/ids.ts'
import type { OptionKinds } from '../base/options.ts'
import type { CallOptions, Description, Remarks, Selection, Token } from './call-options.ts'

/** What every read takes, whatever its schema. */
export type Call = Selection &
  Description &
  Remarks &
  CallOptions & {
    /** Whether unknown names in `fields` are dropped: an option of a host, not of a call in-process. */
    readonly unknownFields?: 'error' | 'ignore' | undefined
  }

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

/** @throws GraphError `bad_parameter` for anything but an id, an app-scoped one where there are any, or `me`. */
export const assertId = (parameter: string, id: unknown, isAppScoped: boolean): void => {
  if (id === 'me' || isNodeId(id) || (isAppScoped && typeof id === 'string' && isPublicId(id))) return
  const digits = isAppScoped ? 20 : 19
  throw badParameter(parameter, `a number of at most ${digits} digits as text, or me`, describe(id))
}
