import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { ParameterView, ValueView } from '../../parameter-view.ts'
import { type Draft, type Drafts, isDraftList, isDraftObject } from './draft.ts'

/** The messages about values by their paths, such as `tags[0].name`. */
export type FieldIssues = ReadonlyMap<string, string>

/** The values of a form, as the body of a request, and what is wrong with them. */
export type ReadDrafts = {
  readonly values: JsonObject
  readonly issues: FieldIssues
  /** The paths of all values of the form, in the order of the page. */
  readonly paths: readonly string[]
}

/** The value of an input of the type `datetime-local`. */
const LOCAL_TIME_PATTERN = /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

const findNumberIssue = ({ type, min, max }: ValueView, text: string): string | undefined => {
  const number = Number(text)
  if (type === 'int' && !Number.isInteger(number)) return 'must be an integer'
  if (!Number.isFinite(number)) return 'must be a number'
  if (min !== undefined && number < min) return `must be at least ${min}`
  return max !== undefined && number > max ? `must be at most ${max}` : undefined
}

/** Returns what is wrong with the text of an input. The graph checks everything again. */
const findTextIssue = (view: ValueView, text: string): string | undefined => {
  const { type, maxLength } = view
  if (type === 'int' || type === 'float') return findNumberIssue(view, text)
  if (type !== 'string' || maxLength === undefined || text.length <= maxLength) return undefined
  return `must have at most ${maxLength} characters; has ${text.length}`
}

/** Converts the text of an input to a value. A number that JSON cannot contain exactly stays a text. */
const toScalar = ({ type }: ValueView, text: string): JsonValue => {
  if (type === 'bool') return text === 'true'
  const number = Number(text)
  if (type === 'int') return Number.isSafeInteger(number) ? number : text
  if (type === 'float') return Number.isFinite(number) ? number : text
  return type === 'datetime' && LOCAL_TIME_PATTERN.test(text) ? `${text}Z` : text
}

/** Removes the white space around a value that is not a text. White space alone is no value. */
const normalizeDraft = ({ type }: ValueView, draft: Draft): Draft =>
  typeof draft === 'string' && type !== 'string' ? draft.trim() || undefined : draft

/** Reads drafts, and collects the issues and the paths. */
class DraftReader {
  readonly issues = new Map<string, string>()
  readonly paths: string[] = []

  readMembers(members: readonly ParameterView[], drafts: Drafts, prefix: string): JsonObject {
    const entries = members.flatMap(view => {
      const value = this.#read(view, drafts[view.name], `${prefix}${view.name}`)
      return value === undefined ? [] : [[view.name, value] as const]
    })
    return Object.fromEntries(entries)
  }

  #read(view: ValueView, given: Draft, path: string): JsonValue | undefined {
    this.paths.push(path)
    const draft = normalizeDraft(view, given)
    if (draft === undefined && view.required) this.issues.set(path, 'must be given, since it is required')
    if (draft === undefined || draft === null) return draft
    if (isDraftList(draft)) return this.#readList(view, draft, path)
    if (isDraftObject(draft)) return this.readMembers(view.members ?? [], draft, `${path}.`)
    const issue = findTextIssue(view, draft)
    if (issue !== undefined) this.issues.set(path, issue)
    return toScalar(view, draft)
  }

  #readList({ items, maxItems }: ValueView, drafts: readonly Draft[], path: string): JsonValue {
    if (maxItems !== undefined && drafts.length > maxItems)
      this.issues.set(path, `must have at most ${maxItems} items; has ${drafts.length}`)
    if (items === undefined) return []
    // An item is never absent.
    const view: ValueView = { ...items, required: true }
    // An item that is not given keeps its place in the code of the call, which is not sent.
    return drafts.map((draft, index) => this.#read(view, draft, `${path}[${index}]`) ?? null)
  }
}

/** Reads the values of a form, with the same paths and limits as the graph. */
export const readDrafts = (parameters: readonly ParameterView[], drafts: Drafts): ReadDrafts => {
  const reader = new DraftReader()
  const values = reader.readMembers(parameters, drafts, '')
  return { values, issues: reader.issues, paths: reader.paths }
}
