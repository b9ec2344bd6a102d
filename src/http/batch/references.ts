import { shorten } from '../../base/describe.ts'
import { badBatch } from './bad-batch.ts'
import { type JsonPath, parseJsonPath } from './json-path.ts'

/** What a text takes of another item's response: `{result=NAME:$.data.*.id}`, encoded or not. */
export type Reference = {
  /** Where it is in the text. */
  readonly from: number
  readonly to: number
  /** The name of the item whose response it reads. */
  readonly name: string
  readonly path: JsonPath
  /** The path as it is written. */
  readonly pathText: string
}

/** A text of an item with the references in it, which are parsed once. */
export type ReferringText = { readonly text: string; readonly references: readonly Reference[] }

/** Characters of a name and its path. */
const LONGEST = 300
/** References in all items of a batch together. */
const MOST_REFERENCES = 250

const START = /(?:\{|%7B)result(?:=|%3D)/gi
const END = /\}|%7D/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const unsupported = (path: string, index: number): Error =>
  badBatch(
    `Request ${index} of the batch: the path ${shorten(path)} is not supported; expected steps such as $.name, $[0], $[0:2], $.*, $..name`,
    { index, path: shorten(path) },
  )

const referenceOf = (text: string, from: number, start: number, end: number, index: number) => {
  const [name = '', ...rest] = decoded(text.slice(start, end)).split(':')
  const pathText = rest.join(':')
  const path = end - start > LONGEST ? undefined : parseJsonPath(pathText)
  if (path === undefined) throw unsupported(pathText, index)
  return { from, name, path, pathText }
}

/**
 * Finds the references in a text of the item at `index`, reading it once. A beginning that nothing closes is text.
 *
 * @throws GraphError `bad_batch` for a path that is not supported.
 */
function* referencesIn(text: string, index: number): Generator<Reference> {
  let to = 0
  for (const opening of text.matchAll(START)) {
    if (opening.index < to) continue
    const start = opening.index + opening[0].length
    const closing = END.exec(text.slice(start))
    if (closing === null) return
    const end = start + closing.index
    to = end + closing[0].length
    yield { ...referenceOf(text, opening.index, start, end, index), to }
  }
}

/**
 * A text of the item at `index` with its references, of which the batch has had `before`.
 *
 * @throws GraphError `bad_batch` for a path that is not supported, and for more references than a batch has.
 */
export const referringText = (text: string, index: number, before: number): ReferringText => {
  const references: Reference[] = []
  for (const reference of referencesIn(text, index)) {
    references.push(reference)
    if (before + references.length > MOST_REFERENCES)
      throw badBatch(`The requests of a batch have at most ${MOST_REFERENCES} references`, {
        limit: MOST_REFERENCES,
      })
  }
  return { text, references }
}
