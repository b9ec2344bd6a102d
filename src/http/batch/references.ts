import { shortenText } from '../../base/describe.ts'
import { invalidBatchError, invalidBatchItemError } from './invalid-batch.ts'
import { type JsonPath, parseJsonPath } from './json-path.ts'

/** A reference to the response of another item: `{result=NAME:$.data.*.id}`, percent-encoded or not. */
export type Reference = {
  /** The index of the first character of the reference in the text. */
  readonly start: number
  /** The index after the last character of the reference. */
  readonly end: number
  /** The name of the item whose response is read. */
  readonly name: string
  readonly path: JsonPath
  /** The text of the path. */
  readonly pathText: string
}

/** A URL or a body of an item, and its parsed references. */
export type TextWithReferences = { readonly text: string; readonly references: readonly Reference[] }

/** The maximum combined length of the name and path of a reference, in characters. */
const MAX_REFERENCE_LENGTH = 300
/** The maximum number of references in a batch. */
const MAX_REFERENCES = 250

const REFERENCE_START_PATTERN = /(?:\{|%7B)result(?:=|%3D)/gi
const REFERENCE_END_PATTERN = /\}|%7D/i

const decodeText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const unsupportedPathError = (path: string, index: number): Error =>
  invalidBatchItemError(
    index,
    shortenText(path),
    'a path of steps such as $.name, $[0], $[0:2], $.*, $..name',
    'another step',
  )

const parseReference = (
  text: string,
  start: number,
  contentStart: number,
  contentEnd: number,
  index: number,
) => {
  const [name = '', ...rest] = decodeText(text.slice(contentStart, contentEnd)).split(':')
  const pathText = rest.join(':')
  const path = contentEnd - contentStart > MAX_REFERENCE_LENGTH ? undefined : parseJsonPath(pathText)
  if (path === undefined) throw unsupportedPathError(pathText, index)
  return { start, name, path, pathText }
}

/**
 * Finds the references in a text of the item at `index` in one pass. The beginning of a reference without a
 * closing `}` is plain text.
 *
 * @throws GraphError `invalid_batch` for a path that is not supported.
 */
function* findReferences(text: string, index: number): Generator<Reference> {
  let referenceEnd = 0
  for (const opening of text.matchAll(REFERENCE_START_PATTERN)) {
    if (opening.index < referenceEnd) continue
    const contentStart = opening.index + opening[0].length
    const closing = REFERENCE_END_PATTERN.exec(text.slice(contentStart))
    if (closing === null) return
    const contentEnd = contentStart + closing.index
    referenceEnd = contentEnd + closing[0].length
    yield { ...parseReference(text, opening.index, contentStart, contentEnd, index), end: referenceEnd }
  }
}

/**
 * Parses the references in a text of the item at `index`. `precedingCount` is the number of references in the
 * batch before this text.
 *
 * @throws GraphError `invalid_batch` for a path that is not supported, or if the batch has too many
 * references.
 */
export const parseReferences = (text: string, index: number, precedingCount: number): TextWithReferences => {
  const references: Reference[] = []
  for (const reference of findReferences(text, index)) {
    references.push(reference)
    if (precedingCount + references.length > MAX_REFERENCES)
      throw invalidBatchError(`The requests of a batch must have at most ${MAX_REFERENCES} references`, {
        limit: MAX_REFERENCES,
      })
  }
  return { text, references }
}
