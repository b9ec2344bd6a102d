import { isPlainObject } from '../../base/json.ts'

/** What a text takes of another answer: `{result=NAME:$.data.*.id}`, encoded or not. */
export type Reference = {
  /** Of the request whose answer it is. */
  readonly name: string
  /** The steps of its path; `*` stands for every member. */
  readonly steps: readonly string[]
}

// Bounded, so that a text full of beginnings is read through once.
const REFERENCE = /(?:\{|%7B)result(?:=|%3D)(.{1,300}?)(?:\}|%7D)/gi
const STEP = /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/g

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const stepsOf = (path: string): string[] =>
  [...path.matchAll(STEP)].map(([, name, single, double, index]) => name ?? single ?? double ?? index ?? '')

const referenceOf = (inner: string): Reference => {
  const [name = '', ...path] = decoded(inner).split(':')
  return { name, steps: stepsOf(path.join(':')) }
}

/** What a text takes from other answers. */
export const referencesIn = (text: string): readonly Reference[] =>
  [...text.matchAll(REFERENCE)].map(([, inner = '']) => referenceOf(inner))

const membersAt = (value: unknown, step: string): readonly unknown[] => {
  if (step === '*') return typeof value === 'object' && value !== null ? Object.values(value) : []
  if (Array.isArray(value)) return /^\d+$/.test(step) ? [value[Number(step)]] : []
  return isPlainObject(value) && Object.hasOwn(value, step) ? [value[step]] : []
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** All that a path leads to in an answer, with commas between. */
const valueAt = (answer: unknown, steps: readonly string[]): string => {
  let found: readonly unknown[] = [answer]
  for (const step of steps) found = found.flatMap(value => membersAt(value, step))
  return found
    .filter(value => value !== undefined && value !== null)
    .map(textOf)
    .join(',')
}

/**
 * A text with its references replaced, each encoded as a query has it. Once it is longer than `most`, the rest is left as
 * it is: it will be refused for its length, and need not grow until then.
 */
export const resolveReferences = (
  text: string,
  answerOf: (name: string) => unknown,
  most: number,
): string => {
  let { length } = text
  return text.replace(REFERENCE, (whole: string, inner: string) => {
    if (length > most) return whole
    const { name, steps } = referenceOf(inner)
    const value = encodeURIComponent(valueAt(answerOf(name), steps).toWellFormed())
    length += value.length - whole.length
    return value
  })
}
