import type { GivenValue } from '../plan/parameter-values.ts'

type GivenParameters = ReadonlyMap<string, GivenValue>

const NO_PARAMETERS: GivenParameters = new Map()

/** Copies the parameters of an in-process call. An undefined value means that the parameter is not given. */
export const toGivenValues = (
  parameters: { readonly [name: string]: unknown } | undefined,
): GivenParameters => {
  if (parameters === undefined) return NO_PARAMETERS
  const given = new Map<string, GivenValue>()
  for (const [name, value] of Object.entries(parameters)) {
    const copy = value instanceof Date ? new Date(value) : value
    if (copy !== undefined) given.set(name, { kind: 'value', value: copy })
  }
  return given
}

/** Copies the parameters of a call of a handler, which are texts. */
export const toGivenTexts = (
  parameters: { readonly [name: string]: string } | undefined,
): GivenParameters => {
  if (parameters === undefined) return NO_PARAMETERS
  const given = new Map<string, GivenValue>()
  for (const [name, text] of Object.entries(parameters)) given.set(name, { kind: 'text', text })
  return given
}
