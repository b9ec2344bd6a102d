import { isCallParameter } from '../base/call-parameters.ts'
import { describeValue } from '../base/describe.ts'
import { isName } from '../base/names.ts'
import { formatIssue } from '../base/usage-error.ts'

/** The words that cannot be names of parameters, because they are modifiers. */
const MODIFIER_NAMES = new Set([
  'as',
  'fields',
  'limit',
  'after',
  'before',
  'since',
  'until',
  'order',
  'summary',
])

// A reserved word becomes a valid name if a character is added.
const describeExpectedName = (name: string): string =>
  isName(`${name}_`) ? 'a word that is not reserved' : 'made of a-z, 0-9 and _, and begin with a letter'

const formatNameError = (location: string, kind: string, name: string): string =>
  formatIssue(location, `the name of a ${kind}`, describeExpectedName(name), describeValue(name))

/** Returns the error for a name that is not a parameter's, or `undefined` if the name is valid. */
export const findNameError = (
  location: string,
  kind: 'type' | 'field or edge' | 'field' | 'member',
  name: string,
): string | undefined => (isName(name) ? undefined : formatNameError(location, kind, name))

/** Returns the error for the name of a field's parameter, or `undefined` if the name is valid. */
export const findParameterNameError = (location: string, name: string): string | undefined =>
  isName(name) && !MODIFIER_NAMES.has(name) ? undefined : formatNameError(location, 'parameter', name)

/**
 * Returns the error for the name of an edge's parameter, or `undefined` if the name is valid. A parameter of
 * an edge is also a query parameter.
 */
export const findEdgeParameterNameError = (location: string, name: string): string | undefined =>
  isCallParameter(name)
    ? formatNameError(location, 'parameter', name)
    : findParameterNameError(location, name)
