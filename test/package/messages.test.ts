import { relative, resolve } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectTexts, findMessageErrors, type TextSource } from '../helpers/message-texts.ts'
import { readOptions } from '../types/compiler.ts'

const SRC = resolve(import.meta.dirname, '../../src')
const TIMEOUT_MS = 120_000

/**
 * Expressions whose texts the source does not contain. The reason says where each text is checked or created.
 */
const EXCEPTIONS: readonly { readonly file: string; readonly code: string; readonly reason: string }[] = [
  {
    file: 'access/masking.ts',
    code: 'message',
    reason: 'the message of another error, with its secrets masked',
  },
  { file: 'base/action-call-error.ts', code: 'message', reason: 'the message of another error of the call' },
  {
    file: 'actions/run-errors.ts',
    code: 'message',
    reason: 'the message of an ActionError, which leaves as it is',
  },
  {
    file: 'actions/parameter-issues.ts',
    code: 'message',
    reason: 'the message of invalidParameterError, or of the validator of an action',
  },
  {
    file: 'plan/compile.ts',
    code: 'message',
    reason: 'the message of an error of the same plan, created anew',
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source code
  { file: 'client/http-result.ts', code: '`${message}`', reason: 'the message of a server' },
  {
    file: 'client/parameters.ts',
    code: 'correctedMessage',
    reason: 'the message of a server, with the value of the caller',
  },
  {
    file: 'http/openapi/error-schemas.ts',
    code: 'REASON_DESCRIPTIONS[reason]',
    reason: 'a description; these errors are not thrown, and give their codes to the document',
  },
  {
    file: 'http/openapi/error-schemas.ts',
    code: 'REASON_DESCRIPTIONS.action_failed',
    reason: 'a description; this error is not thrown',
  },
  { file: 'schema/field-type.ts', code: 'this.expected', reason: 'the expectation of the same issue' },
  {
    file: 'schema/stored-value-issue.ts',
    code: 'type.storedAs',
    reason: 'the words of a type of the library',
  },
  { file: 'schema/define-field-type.ts', code: 'expected', reason: 'the words of an author of a type' },
]

const isException = ({ file, code }: TextSource): boolean =>
  EXCEPTIONS.some(exception => exception.file === file && exception.code === code)

const createProgram = (snippets: ReadonlyMap<string, string>, files: readonly string[]): ts.Program => {
  const options = readOptions()
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = path => snippets.has(path) || fileExists(path)
  host.readFile = path => snippets.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = snippets.get(path)
    return text === undefined
      ? getSourceFile(path, target, ...rest)
      : ts.createSourceFile(path, text, target, true)
  }
  return ts.createProgram([...files, ...snippets.keys()], options, host)
}

const collectFrom = (program: ts.Program, isIncluded: (fileName: string) => boolean): TextSource[] =>
  collectTexts(
    program,
    program.getSourceFiles().filter(({ fileName }) => isIncluded(fileName)),
  ).map(source => ({ ...source, file: relative(SRC, source.file) }))

describe('the messages of errors', () => {
  let sources: readonly TextSource[] = []

  beforeAll(() => {
    const program = createProgram(new Map(), ts.sys.readDirectory(SRC, ['.ts', '.tsx']))
    sources = collectFrom(program, fileName => fileName.startsWith(SRC))
  }, TIMEOUT_MS)

  it('have the form of a usage error or of a GraphError, the code of their reason, and plain words', () => {
    const checked = sources.filter(source => !isException(source))
    expect([...new Set(checked.flatMap(findMessageErrors))]).toEqual([])
  })

  it('are collected from the whole source', () => {
    const texts = sources.flatMap(source => source.texts)
    expect(texts).toContain('getEdge: "edge" must be a string; received \ue002')
    expect(texts).toContain('(#100) Invalid parameter "summary": must be true or false; received \ue002')
    expect(texts.filter(text => / must be .*; received /s.test(text)).length).toBeGreaterThan(500)
    expect(sources.filter(({ kind }) => kind === 'GraphError').length).toBeGreaterThan(50)
  })

  it('have no exception from these rules for code that does not exist', () => {
    const unused = EXCEPTIONS.filter(
      ({ file, code }) => !sources.some(source => source.file === file && source.code === code),
    )
    expect(unused).toEqual([])
  })
})

const IMPORTS = `
import { describeValue } from './base/describe.ts'
import { GraphError, invalidParameterError } from './base/errors.ts'
import { usageError } from './base/usage-error.ts'
import { ValidationIssue } from './schema/field-type.ts'
declare const words: string
`

const SHARED = /src\/base\/(?:usage-error|errors)\.ts$/

/** Source code, and the error in its message, or `undefined` if the message is correct. */
const SNIPPETS: readonly (readonly [code: string, error: string | undefined])[] = [
  [`throw new TypeError('getEdge: "edge" must be a string; received 5')`, undefined],
  [`throw usageError('getEdge', 'edge', 'a string', describeValue(5))`, undefined],
  [`const A = 'a ' + 'string'; throw usageError('getEdge', 'edge', A, describeValue(5))`, undefined],
  [`throw invalidParameterError('limit', 'an integer', describeValue(words))`, undefined],
  [`throw new GraphError('store_error', '(#2) The store failed')`, undefined],
  [`throw new GraphError('token_invalid', 'Invalid OAuth access token')`, undefined],
  [`throw new TypeError('The graph is closed')`, 'is not in the form'],
  [`throw new TypeError('getEdge: "edge" must be a string')`, 'is not in the form'],
  [`throw new TypeError('edge must be a string; received 5')`, 'is not in the form'],
  [`throw new TypeError('getEdge: "edge" must be a string, came 5')`, 'has the word "came"'],
  [`throw new TypeError(words)`, 'cannot be read'],
  [`throw new TypeError(new Error('a').message)`, 'cannot be read'],
  [`throw usageError('getEdge', 'edge', words, '5')`, 'has no words for what was expected'],
  [`throw usageError('getEdge', 'edge', 'text', '5')`, 'has the word "text"'],
  [
    `const reject = (name: string, expected: string): never => { throw usageError('getEdge', name, expected, '5') }
    reject('edge', 'a string'); reject('ids', 'a list of ids')`,
    'has the word "must be a list"',
  ],
  [
    `const find = (expected: string): string | undefined => words === '' ? expected : 'another text'
    throw usageError('getEdge', 'edge', 'a string', find('a') ?? 'b')`,
    'has the word "another text"',
  ],
  [`throw new GraphError('store_error', 'The store failed')`, 'does not begin with the code of its reason'],
  [
    `throw new GraphError('store_error', '(#1) The store failed')`,
    'does not begin with the code of its reason',
  ],
  [
    `throw new GraphError('store_error', '(#2) the store failed')`,
    'does not begin with the code of its reason',
  ],
  [`throw new GraphError('store_error', '(#2) The store answered 5')`, 'has the word "answered"'],
  [`throw new GraphError('store_error', words)`, 'cannot be read'],
  [
    `throw new GraphError('invalid_parameter', '(#100) Invalid parameter limit: expected 1; received 2')`,
    'is not in the form',
  ],
  [
    `throw new GraphError('token_invalid', '(#190) The token is unknown')`,
    'is not in the form of the protocol',
  ],
  [
    `class OtherError extends GraphError { constructor() { super('timeout', 'Too late') } }; throw new OtherError()`,
    'does not begin with the code of its reason',
  ],
  [`throw new ValidationIssue('a list', 5)`, 'has the word "must be a list"'],
  [`throw new ValidationIssue(words, 5)`, 'cannot be read'],
]

describe('the check of error messages', () => {
  const paths = SNIPPETS.map((_, index) => `${SRC}/snippet-${index}.ts`)
  let program: ts.Program
  /** The errors of the shared builders: their texts contain no words, because only snippets call them. */
  let sharedErrors: readonly string[] = []

  const findErrors = (isIncluded: (fileName: string) => boolean): string[] =>
    collectFrom(program, isIncluded).flatMap(findMessageErrors)

  beforeAll(() => {
    const snippets = SNIPPETS.map(([code], index) => [paths[index] ?? '', `${IMPORTS}${code}`] as const)
    program = createProgram(new Map(snippets), [])
    sharedErrors = findErrors(fileName => SHARED.test(fileName))
  }, TIMEOUT_MS)

  it.each(SNIPPETS.map(([code, error], index) => [code, error, paths[index]] as const))(
    'finds the mistake in a wrong message, and none in a correct one: %s (mistake: %s)',
    (_, error, path) => {
      const errors = findErrors(fileName => fileName === path || SHARED.test(fileName)).filter(
        found => !sharedErrors.includes(found),
      )
      if (error === undefined) expect(errors).toEqual([])
      else expect(errors).toContainEqual(expect.stringContaining(error))
    },
  )
})
