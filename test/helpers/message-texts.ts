import ts from 'typescript'
import { isErrorReason } from '../../src/base/error-kinds.ts'
import { GraphError } from '../../src/base/errors.ts'
import { isFunctionNode } from './call-index.ts'
import { DESCRIBED_VALUE, DESCRIBER, EXPECTATION, MessageReader, VALUE } from './message-reader.ts'

/**
 * The use of a text: as the message of an error, as a part of one, or as the description of a received value.
 */
export type TextKind = 'TypeError' | 'GraphError' | 'issue' | 'expectation' | 'description'

/** An expression in the source whose texts appear in errors. */
export type TextSource = {
  readonly kind: TextKind
  readonly file: string
  /** The source code of the expression. */
  readonly code: string
  readonly line: number
  readonly texts: readonly string[]
  /** The reasons of a `GraphError`, and empty for other kinds. */
  readonly reasons: readonly string[]
}

/**
 * Returns the kind of a call or `new` expression, and the index of the argument with its text. The index -1
 * means the expression itself.
 */
const kindOf = (node: ts.CallExpression | ts.NewExpression): readonly [TextKind, number] | undefined => {
  const name = node.expression.getText()
  if (name === 'TypeError') return ['TypeError', 0]
  if (name === 'GraphError' || (name === 'super' && isInsideGraphError(node))) return ['GraphError', 1]
  if (name === 'ValidationIssue') return ['expectation', 0]
  return name === 'formatIssue' || name === 'formatMismatch' ? ['issue', -1] : undefined
}

const isInsideGraphError = (node: ts.Node): boolean => {
  const owner = ts.findAncestor(node, ts.isClassDeclaration)
  return owner?.heritageClauses?.some(clause => clause.getText() === 'extends GraphError') ?? false
}

/** Whether an issue is a part of an error, so that its text is read with the text of the error. */
const isPartOfError = (node: ts.Node): boolean =>
  ts.findAncestor(
    node.parent,
    parent => (ts.isNewExpression(parent) || ts.isCallExpression(parent)) && kindOf(parent) !== undefined,
  ) !== undefined || /src\/base\/(?:usage-error|errors)\.ts$/.test(node.getSourceFile().fileName)

/** Collects the expressions in the given files whose texts appear in errors. */
export const collectTexts = (program: ts.Program, files: readonly ts.SourceFile[]): TextSource[] => {
  const reader = new MessageReader(program, files)
  const found: TextSource[] = []
  const add = (kind: TextKind, node: ts.Node, texts: readonly string[], reasons: readonly string[] = []) => {
    const file = node.getSourceFile()
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    found.push({ kind, file: file.fileName, code: node.getText(), line, texts, reasons })
  }
  const visitCall = (node: ts.CallExpression | ts.NewExpression): void => {
    const [kind, index] = kindOf(node) ?? []
    if (kind === undefined || index === undefined || (kind === 'issue' && isPartOfError(node))) return
    const given = node.arguments ?? []
    const text = kind === 'issue' ? node : given[index]
    const reasons = kind === 'GraphError' && given[0] !== undefined ? reader.read(given[0]) : []
    add(kind, text ?? node, text === undefined ? [VALUE] : reader.read(text), reasons)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) visitCall(node)
    const isDescriber = ts.isVariableDeclaration(node) && DESCRIBER.test(node.name.getText())
    if (isDescriber && node.initializer !== undefined && isFunctionNode(node.initializer))
      add('description', node.name, reader.readReturns(node.initializer))
    ts.forEachChild(node, visit)
  }
  for (const file of files) visit(file)
  return found
}

/** Words that messages must not contain, because a plainer word exists. */
const AVOIDED_WORDS =
  /\b(?:came|asked|asks|ask|told|tells|answers?|answered|refused?s?|judged?|stands?|whom|lest|thus|faults?|waves?|beside|text|texts|(?:what|that) is none|another text|must be (?:a )?list|an? list of)\b/

/** The messages of the classic protocol, which clients match. */
const CLASSIC_FORMS: { readonly [reason: string]: RegExp } = {
  token_missing: /^\(#104\) An access token is required( to request this resource(\. .+)?)?$/,
  token_invalid: /^(Invalid OAuth access token|Error validating access token: .+)$/,
  token_expired: /^(Invalid OAuth access token|Error validating access token: .+)$/,
  token_revoked: /^(Invalid OAuth access token|Error validating access token: .+)$/,
  proof_invalid: /^(A|The) proof of possession is (required|not valid)$/,
  viewer_required: /^An active access token must be used to query information about the current user; .+$/,
  node_not_found: /^Unsupported (get |post |delete )?request\. .+$/s,
  method_not_supported: /^Unsupported .*request\. .+$/s,
  path_not_found: /^Unknown path components: .+$/s,
  invalid_syntax: /^Syntax error "Expected .+ instead of .+\." at character .+: .+$/s,
  duplicate_name: /^Syntax error ".+ specified more than once\." at character .+: .+$/s,
}

const SUBJECT = '(?:options|options of "[^"]+"|(?:(?:the|an?|each) [^";]+)|"[^"]+"|\ue001)'
const USAGE_FORM = new RegExp(`^[^\\s":][^":]*: ${SUBJECT} must be (.+); received (.+)$`, 's')
const ISSUE_FORM = new RegExp(
  `^(?:[^":]+: )*(?:${SUBJECT}|Request \ue001 of the batch) must be (.+); received (.+)$`,
  's',
)
const PARAMETER_FORM = /^\(#100\) Invalid parameter "[^"]+": must be (.+); received (.+)$/s
const GRAPH_FORM = /^\(#(\d+)\) (?:[A-Z"\ue001].*)$/s
const MISMATCH = / must be (.+); received (.+)$/s

const PLACEHOLDERS = new RegExp(`[${VALUE}${DESCRIBED_VALUE}${EXPECTATION}]`, 'g')

const isReadable = (text: string | undefined): boolean =>
  /\p{L}|\d|\{/u.test((text ?? '').replaceAll(PLACEHOLDERS, ''))

const checkMismatch = (text: string, form: RegExp): string[] => {
  const [, expected, received] = form.exec(text) ?? []
  if (received === undefined) return ['is not in the form']
  const isKnown = isReadable(expected) || expected === EXPECTATION || expected === DESCRIBED_VALUE
  return isKnown ? [] : ['has no words for what was expected']
}

const checkGraphError = (text: string, reason: string): string[] => {
  if (!isErrorReason(reason)) return [`has the unknown reason ${reason}`]
  const classic = CLASSIC_FORMS[reason]
  if (classic !== undefined) return classic.test(text) ? [] : ['is not in the form of the protocol']
  const [, code] = GRAPH_FORM.exec(text) ?? []
  if (Number(code) !== new GraphError(reason, '').code) return ['does not begin with the code of its reason']
  if (text.includes('Invalid parameter')) return checkMismatch(text, PARAMETER_FORM)
  return /\bexpected\b|; received /i.test(text) ? checkMismatch(text, MISMATCH) : []
}

const checkForm = (kind: TextKind, text: string, reasons: readonly string[]): string[] => {
  if (kind === 'TypeError') return checkMismatch(text, USAGE_FORM)
  if (kind === 'issue') return checkMismatch(text, ISSUE_FORM)
  return kind === 'GraphError' ? reasons.flatMap(reason => checkGraphError(text, reason)) : []
}

/** Returns the errors in the texts of one source, each with its file and line. */
export const findMessageErrors = ({ kind, file, line, texts, reasons }: TextSource): string[] =>
  texts.flatMap(text => {
    const isUnread = kind !== 'description' && !isReadable(text)
    const word = AVOIDED_WORDS.exec(kind === 'expectation' ? `must be ${text}` : text)?.[0]
    const errors = isUnread ? ['cannot be read'] : checkForm(kind, text, reasons)
    if (word !== undefined) errors.push(`has the word "${word}"`)
    return errors.map(error => `${file}:${line} ${kind} ${error}: ${text.replaceAll(PLACEHOLDERS, '‹…›')}`)
  })
