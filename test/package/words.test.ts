import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PLACES = [
  'src',
  'test',
  'bench',
  'examples',
  'scripts',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]

/** Words that no sentence and no name may contain, because each is ambiguous or outdated. */
const RETIRED_WORDS =
  /\b(?:faults?|misuses?|waves?|sift(?:s|ed|ing)?|silhouettes?|verdicts?|came|whom|lest|thus|thereof|policed|unseal(?:ed)?|seal(?:s|ed)?)\b/gi

/** Old reasons of errors. The list omits reasons that are also ordinary words, such as `syntax`. */
const RETIRED_REASONS =
  /\b(?:token_unknown|viewer_missing|node_missing|unknown_field|bad_parameter|unknown_path|not_in_version|too_many_batch_items|bad_batch|too_costly|answer_too_large|rate_limited_app|rate_limited_user)\b/g

/** Names that no declaration may have. Sentences may contain them. */
const RETIRED_NAMES = new Set(
  (
    'Area Arrival Asked Course Enclosing Exchange Gathered Host Judge Lack Manner Mark Misfit Mismatch Opened Opening Outcome Place Problem Projector Reads ' +
    'Remembered Rooted Sealer Spending Walk Wanted NOTHING NO_SLICE admit askNodes atLeast atOnce faultless foresee gather ' +
    'gathered holder isCut isPassing isRefusal judgeIds meet met more opennessOf place placed presume settleOptions ' +
    'skeletonOf tolerate waitsFor withClosed wrote'
  ).split(' '),
)

const RETIRED_NAME = new RegExp(`\\b(?:${[...RETIRED_NAMES].join('|')})\\b`)

/** Lines that may contain a retired word, with the reason. */
const EXCEPTIONS: readonly { readonly file: string; readonly line: string; readonly reason: string }[] = [
  {
    file: 'test/helpers/message-texts.ts',
    line: '/\\b(?:came|asked|',
    reason: 'The list of words that messages avoid.',
  },
  {
    file: 'test/package/messages.test.ts',
    line: 'must be a string, came 5',
    reason: 'An example of a message with such a word.',
  },
]

const listFiles = (place: string): string[] => {
  if (place.endsWith('.md')) return [join(ROOT, place)]
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:tsx?|mjs|js|md|json|css)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(
      file =>
        !/node_modules|docs\/api\/|page-bundle\.ts$|\/\.[^/]*\//.test(relative(ROOT, file)) &&
        file !== import.meta.filename,
    )
}

const files = PLACES.flatMap(listFiles).map(file => ({
  file: relative(ROOT, file),
  text: readFileSync(file, 'utf8'),
}))

/**
 * Separates the words of names, so that `onFault` and `store_fault` contain the word "fault". `is_silhouette`
 * is a word of the protocol.
 */
const splitNames = (text: string): string =>
  text
    .replaceAll('is_silhouette', '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')

const isException = (file: string, line: string): boolean =>
  EXCEPTIONS.some(exception => exception.file === file && line.includes(exception.line))

/** Returns the lines of a text that contain a retired word, with the word. */
const findWords = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => {
    const words = [...(splitNames(line).match(RETIRED_WORDS) ?? []), ...(line.match(RETIRED_REASONS) ?? [])]
    return words.length === 0 || isException(file, line) ? [] : [`${file}:${index + 1} ${words.join(', ')}`]
  })

const isDeclaration = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isClassElement(node) ||
  ts.isTypeElement(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node)

/** Returns the declarations of a file that have a retired name. */
const findNames = (file: string, text: string): string[] => {
  // Parsing takes most of the time.
  if (!RETIRED_NAME.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const name = isDeclaration(node) && node.name && ts.isIdentifier(node.name) ? node.name : undefined
    if (name !== undefined && RETIRED_NAMES.has(name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart(source))
      const isAllowed = isException(file, text.split('\n')[line] ?? '')
      if (!isAllowed) found.push(`${file}:${line + 1} ${name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('retired words', () => {
  it('are absent from the project', () => {
    expect(files.flatMap(({ file, text }) => findWords(file, text))).toEqual([])
  })

  it('are absent from the names of declarations', () => {
    const code = files.filter(({ file }) => /\.tsx?$/.test(file))
    expect(code.flatMap(({ file, text }) => findNames(file, text))).toEqual([])
  })

  it('have exceptions only for lines that exist', () => {
    const stale = EXCEPTIONS.filter(
      ({ file, line }) => !files.some(known => known.file === file && known.text.includes(line)),
    )
    expect(stale).toEqual([])
  })

  it.each([
    ['a comment', '// The fault is thrown.', 1],
    ['a name', 'const onFault = 1', 1],
    ['the reason of an error', "'store_fault'", 1],
    ['a retired reason of ordinary words', "'too_costly'", 1],
    ['the title of a test', "it('whom it concerns', () => {})", 1],
    ['not in is_silhouette, a word of the protocol', 'is_silhouette: false', 0],
    ['not in a longer word', 'export default microwaves', 0],
  ])('are found exactly in the lines that contain one: %s', (_, line, count) => {
    expect(findWords('a.ts', line)).toHaveLength(count)
  })

  it.each([
    'const place = 1',
    'type Place = 1',
    'const f = ({ more }) => 1',
    'interface A { holder: string }',
  ])('are detected in the name of a declaration: %s', code => {
    expect(findNames('a.ts', code)).toHaveLength(1)
  })
})

/** Returns every exported type of `src`, with the files that export it. */
const exportedTypes = (): Map<string, string[]> => {
  const types = new Map<string, string[]>()
  for (const { file, text } of files.filter(({ file }) => /^src\/.*\.tsx?$/.test(file))) {
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare |abstract )*(?:type|interface|class|enum) (\w+)/gm,
    ))
      types.set(name, [...(types.get(name) ?? []), file])
  }
  return types
}

describe('the name of an exported type', () => {
  it('is exported by one file only', () => {
    const types = exportedTypes()
    expect(types.size).toBeGreaterThan(300)
    expect([...types].filter(([, owners]) => owners.length > 1)).toEqual([])
  })
})
