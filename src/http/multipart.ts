import type { Entry } from './entry.ts'
import type { RequestValues } from './request-values.ts'

const BOUNDARY = /;[ \t]*boundary=(?:"([^"]+)"|([^\s;"]+))/i
const DISPOSITION = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im
const NAME = /;[ \t]*name=(?:"([^"]*)"|([^\s;"]+))/i
const FILE = /;[ \t]*filename\*?=/i

const LINE = '\r\n'
const END_OF_HEADERS = '\r\n\r\n'

/** Characters of the headers of a part. */
const LONGEST = 16_384

/** What browsers write as `%22`, `%0D` and `%0A` in a name. */
const unescaped = (name: string): string =>
  name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

/** The field in a part, `null` for a file, and `undefined` for a part that is neither. */
const fieldOf = (part: string): Entry | null | undefined => {
  const end = part.indexOf(END_OF_HEADERS)
  if (!part.startsWith(LINE) || end < 0 || end > LONGEST) return undefined
  const [, disposition = ''] = DISPOSITION.exec(part.slice(0, end)) ?? []
  const [, quoted, plain] = NAME.exec(disposition) ?? []
  const name = quoted ?? plain
  if (name === undefined) return undefined
  return FILE.test(disposition) ? null : [unescaped(name), part.slice(end + END_OF_HEADERS.length)]
}

/**
 * The fields of a multipart form; its files are dropped. Returns `undefined` for a body that is not such a form. The parsers
 * of runtimes take 60 ms and more for 1 MiB of small parts or headers.
 *
 * @throws GraphError `request_too_large` for more parts than a request has parameters.
 */
export const multipartEntries = (
  body: string,
  type: string,
  values: RequestValues,
): readonly Entry[] | undefined => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const delimiter = `${LINE}--${boundary}`
  const text = `${LINE}${body}`.trimEnd()
  const entries: Entry[] = []
  let parts = 0
  for (let at = text.indexOf(delimiter); at >= 0; ) {
    const start = at + delimiter.length
    // Some clients leave out the two dashes behind the last boundary.
    if (start === text.length || text.startsWith('--', start)) return entries
    values.takeParameter(parts++)
    at = text.indexOf(delimiter, start)
    const field = at < 0 ? undefined : fieldOf(text.slice(start, at))
    if (field === undefined) return undefined
    if (field !== null) entries.push(field)
  }
  return undefined
}
