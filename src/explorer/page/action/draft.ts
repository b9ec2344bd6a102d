import type { ParameterView, ValueView } from '../../parameter-view.ts'

/**
 * What the user has entered for a value: the text of an input, `null`, the items of a list, or the members of an
 * object. `undefined` is a value that is not sent. Empty text is a value of a text only.
 */
export type Draft = string | null | undefined | readonly Draft[] | Drafts

/** The drafts of parameters or members by name. */
export type Drafts = { readonly [name: string]: Draft }

/** Whether a draft is a list of drafts. */
export const isDraftList = (draft: Draft): draft is readonly Draft[] => Array.isArray(draft)

/** Whether a draft is an object of drafts. */
export const isDraftObject = (draft: Draft): draft is Drafts =>
  typeof draft === 'object' && draft !== null && !isDraftList(draft)

/** Returns the draft of a new item of a list, or of an object that the user adds. */
export const createDraft = ({ type, members = [] }: ValueView): Draft => {
  if (type === 'list') return []
  return type === 'object' ? createDrafts(members) : undefined
}

/** Returns the draft of a value before the user enters it. Only required lists and objects are there from the start. */
export const createFirstDraft = (view: ValueView): Draft => (view.required ? createDraft(view) : undefined)

/** Returns the first drafts of a form. */
export const createDrafts = (parameters: readonly ParameterView[]): Drafts =>
  Object.fromEntries(parameters.map(view => [view.name, createFirstDraft(view)]))

/** Whether users may choose that a value is sent as empty: a text, or a list that is not required. */
export const mayBeEmpty = ({ type, required }: ValueView): boolean =>
  type === 'string' || (type === 'list' && !required)
