/** What one step of a path selects of the members of a value. */
export type Selector =
  | { readonly kind: 'every' }
  /** A member of an object, or of a list if its name is a position. */
  | { readonly kind: 'member'; readonly name: string; readonly position: number | undefined }
  /** Members of a list; negative positions count from its end. */
  | { readonly kind: 'slice'; readonly from: number; readonly to: number | undefined }

/** One step of a path: `.name`, `['name']`, `[0,1]`, `..name`. */
export type PathStep = {
  /** Whether it selects of all that is inside a value, not of its own members alone. */
  readonly isDeep: boolean
  readonly selectors: readonly Selector[]
}

/** A parsed JSONPath: its steps below `$`. */
export type JsonPath = readonly PathStep[]

const SELECTOR = /\*|'[^'\\]*'|"[^"\\]*"|(?:-?\d+)?:(?:-?\d+)?|-[1-9]\d*|\d+/
const NAME = /[^\s.,:*?@$'"(){}[\]\\]+/
const STEP = new RegExp(
  `(\\.\\.?)(\\*|${NAME.source})|(\\.\\.)?\\[((?:${SELECTOR.source})(?:,(?:${SELECTOR.source}))*)\\]`,
  'gy',
)
const SELECTORS = new RegExp(SELECTOR.source, 'g')
const POSITION = /^(?:0|[1-9]\d*)$/

const memberNamed = (name: string): Selector => ({
  kind: 'member',
  name,
  position: POSITION.test(name) ? Number(name) : undefined,
})

const fromEnd = (position: number): Selector => ({
  kind: 'slice',
  from: position,
  to: position === -1 ? undefined : position + 1,
})

const selectorOf = (text: string): Selector => {
  if (text === '*') return { kind: 'every' }
  if (text.startsWith("'") || text.startsWith('"')) return memberNamed(text.slice(1, -1))
  const colon = text.indexOf(':')
  if (colon < 0) return text.startsWith('-') ? fromEnd(Number(text)) : memberNamed(text)
  const to = text.slice(colon + 1)
  return { kind: 'slice', from: Number(text.slice(0, colon)), to: to === '' ? undefined : Number(to) }
}

/** The selectors of a step: one behind dots, or a list in brackets. */
const selectorsOf = (name: string | undefined, list: string | undefined): readonly Selector[] => {
  if (name !== undefined) return [name === '*' ? { kind: 'every' } : memberNamed(name)]
  return Array.from(list?.matchAll(SELECTORS) ?? [], ([selector]) => selectorOf(selector))
}

/**
 * Parses a JSONPath: `.name`, `.0`, `.*`, `['name']`, `[0]`, `[-1]`, `[0:2]`, lists of these in brackets, and each of them
 * behind `..`. Returns `undefined` for every other text, so that no part of a path is skipped.
 */
export const parseJsonPath = (text: string): JsonPath | undefined => {
  if (!text.startsWith('$')) return undefined
  const below = text.slice(1)
  const steps: PathStep[] = []
  let length = 0
  for (const [whole, dots, name, deepDots, list] of below.matchAll(STEP)) {
    steps.push({ isDeep: (dots ?? deepDots) === '..', selectors: selectorsOf(name, list) })
    length += whole.length
  }
  return length === below.length ? steps : undefined
}
