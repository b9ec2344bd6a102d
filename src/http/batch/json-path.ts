/** Selects members of a value in one step of a path. */
export type Selector =
  | { readonly kind: 'every' }
  /** A member of an object, or of a list if the name is a position. */
  | { readonly kind: 'member'; readonly name: string; readonly position: number | undefined }
  /** Members of a list; negative positions count from the end. */
  | { readonly kind: 'slice'; readonly start: number; readonly end: number | undefined }

/** One step of a path: `.name`, `['name']`, `[0,1]`, `..name`. */
export type PathStep = {
  /** Whether the step selects members at every depth of a value, not only its direct members. */
  readonly isDeep: boolean
  readonly selectors: readonly Selector[]
}

/** A parsed JSONPath: its steps after `$`. */
export type JsonPath = readonly PathStep[]

const SELECTOR_PATTERN = /\*|'[^'\\]*'|"[^"\\]*"|(?:-?\d+)?:(?:-?\d+)?|-[1-9]\d*|\d+/
const NAME_PATTERN = /[^\s.,:*?@$'"(){}[\]\\]+/
const STEP_PATTERN = new RegExp(
  `(\\.\\.?)(\\*|${NAME_PATTERN.source})|(\\.\\.)?\\[((?:${SELECTOR_PATTERN.source})(?:,(?:${SELECTOR_PATTERN.source}))*)\\]`,
  'gy',
)
const ALL_SELECTORS_PATTERN = new RegExp(SELECTOR_PATTERN.source, 'g')
const POSITION_PATTERN = /^(?:0|[1-9]\d*)$/

const createMemberSelector = (name: string): Selector => ({
  kind: 'member',
  name,
  position: POSITION_PATTERN.test(name) ? Number(name) : undefined,
})

const createFromEndSelector = (position: number): Selector => ({
  kind: 'slice',
  start: position,
  end: position === -1 ? undefined : position + 1,
})

const parseSelector = (text: string): Selector => {
  if (text === '*') return { kind: 'every' }
  if (text.startsWith("'") || text.startsWith('"')) return createMemberSelector(text.slice(1, -1))
  const colon = text.indexOf(':')
  if (colon < 0)
    return text.startsWith('-') ? createFromEndSelector(Number(text)) : createMemberSelector(text)
  const endText = text.slice(colon + 1)
  return {
    kind: 'slice',
    start: Number(text.slice(0, colon)),
    end: endText === '' ? undefined : Number(endText),
  }
}

/** Parses the selectors of a step: one selector after dots, or a list of selectors in brackets. */
const parseSelectors = (name: string | undefined, listText: string | undefined): readonly Selector[] => {
  if (name !== undefined) return [name === '*' ? { kind: 'every' } : createMemberSelector(name)]
  return Array.from(listText?.matchAll(ALL_SELECTORS_PATTERN) ?? [], ([selector]) => parseSelector(selector))
}

/**
 * Parses a JSONPath. Supports `.name`, `.0`, `.*`, `['name']`, `[0]`, `[-1]`, `[0:2]`, lists of these in
 * brackets, and all of these after `..`. Returns `undefined` for any other text, so that no part of a path is
 * skipped.
 */
export const parseJsonPath = (text: string): JsonPath | undefined => {
  if (!text.startsWith('$')) return undefined
  const stepsText = text.slice(1)
  const steps: PathStep[] = []
  let matchedLength = 0
  for (const [whole, dots, name, deepDots, listText] of stepsText.matchAll(STEP_PATTERN)) {
    steps.push({ isDeep: (dots ?? deepDots) === '..', selectors: parseSelectors(name, listText) })
    matchedLength += whole.length
  }
  return matchedLength === stepsText.length ? steps : undefined
}
