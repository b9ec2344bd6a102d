import { isPlainObject } from '../../base/json.ts'

/** A place in a text where something of another answer is put: `{result=NAME:$.data.*.id}`, encoded or not. */
export type Reference = {
  /** As it stands in the text. */
  readonly text: string
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

/** What a text takes from other answers. */
export const referencesIn = (text: string): readonly Reference[] =>
  [...text.matchAll(REFERENCE)].map(([whole, inner = '']) => {
    const [name = '', ...path] = decoded(inner).split(':')
    return { text: whole, name, steps: stepsOf(path.join(':')) }
  })

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

/** A text with its references replaced, each encoded as a query has it. */
export const resolveReferences = (
  text: string,
  references: readonly Reference[],
  answerOf: (name: string) => unknown,
): string =>
  references.reduce(
    // A function, since a text of answers may hold what `replace` takes for its own.
    (resolved, reference) =>
      resolved.replace(reference.text, () =>
        encodeURIComponent(valueAt(answerOf(reference.name), reference.steps).toWellFormed()),
      ),
    text,
  )
