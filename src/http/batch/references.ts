import { shortenText } from '../../base/describe.ts'
import { invalidBatchError, invalidBatchItemError } from './invalid-batch.ts'
import { type JsonPath, parseJsonPath } from './json-path.ts'

/** A reference to the response of another item: `{result=NAME:$.data.*.id}`. In a URL or a form, it may be percent-encoded. */
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

/** The notation of a text, and of the values that are inserted into it. */
export type Notation = 'url' | 'json'

/** A URL or a body of an item, and its parsed references. */
export type TextWithReferences = {
  readonly text: string
  readonly notation: Notation
  readonly references: readonly Reference[]
}

/** The maximum combined length of the name and path of a reference, in characters. */
const MAX_REFERENCE_LENGTH = 300
/** The maximum number of references in a batch. */
const MAX_REFERENCES = 250

const START_PATTERNS: { readonly [notation in Notation]: RegExp } = {
  url: /(?:\{|%7B)result(?:=|%3D)/gi,
  json: /\{result=/gi,
}
const END_PATTERNS: { readonly [notation in Notation]: RegExp } = { url: /\}|%7D/i, json: /\}/ }

/** Decodes a part of a text. A part of a JSON text is inside of a string, so it may have escapes. */
const decodeText = (text: string, notation: Notation): string => {
  try {
    return notation === 'url' ? decodeURIComponent(text) : `${JSON.parse(`"${text}"`)}`
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

/** Parses the part of a reference between its beginning and its `}`. */
const parseContent = (content: string, notation: Notation, index: number) => {
  const [name = '', ...rest] = decodeText(content, notation).split(':')
  const pathText = rest.join(':')
  const path = content.length > MAX_REFERENCE_LENGTH ? undefined : parseJsonPath(pathText)
  if (path === undefined) throw unsupportedPathError(pathText, index)
  return { name, path, pathText }
}

/**
 * Finds the references in a text of the item at `index` in one pass. The beginning of a reference without a
 * closing `}` is plain text.
 *
 * @throws GraphError `invalid_batch` for a path that is not supported.
 */
function* findReferences(text: string, notation: Notation, index: number): Generator<Reference> {
  let referenceEnd = 0
  for (const opening of text.matchAll(START_PATTERNS[notation])) {
    if (opening.index < referenceEnd) continue
    const contentStart = opening.index + opening[0].length
    const closing = END_PATTERNS[notation].exec(text.slice(contentStart))
    if (closing === null) return
    const contentEnd = contentStart + closing.index
    referenceEnd = contentEnd + closing[0].length
    const content = parseContent(text.slice(contentStart, contentEnd), notation, index)
    yield { start: opening.index, end: referenceEnd, ...content }
  }
}

/**
 * Parses the references in a text of the item at `index`. `precedingCount` is the number of references in the
 * batch before this text.
 *
 * @throws GraphError `invalid_batch` for a path that is not supported, or if the batch has too many
 * references.
 */
export const parseReferences = (
  text: string,
  notation: Notation,
  index: number,
  precedingCount: number,
): TextWithReferences => {
  const references: Reference[] = []
  for (const reference of findReferences(text, notation, index)) {
    references.push(reference)
    if (precedingCount + references.length > MAX_REFERENCES)
      throw invalidBatchError(`The requests of a batch must have at most ${MAX_REFERENCES} references`, {
        limit: MAX_REFERENCES,
      })
  }
  return { text, notation, references }
}
