/** The kind of a token, in a valid or incomplete expression. */
export type TokenKind = 'name' | 'modifier' | 'argument' | 'punctuation'

/**
 * A token of an expression. `from` is the index of its first character, and `to` is the index after its last
 * character.
 */
export type ExpressionToken = {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  readonly text: string
  /** The names of the items that contain the token, outermost first. */
  readonly path: readonly string[]
  /**
   * The number of the list that contains the token. Lists are numbered in the order of their opening braces.
   */
  readonly listIndex: number
}

/** The tokens of a text, and the list and argument that are open at the end of the text. */
export type ScanResult = {
  readonly tokens: readonly ExpressionToken[]
  readonly path: readonly string[]
  readonly listIndex: number
  /** Whether the text ends inside an argument, before its closing parenthesis. */
  readonly inArgument: boolean
}

type OpenList = { readonly path: readonly string[]; readonly listIndex: number; readonly closer: string }

const WORD = /\w+/y
const SPACE = /\s+/y
const CLOSERS: { readonly [opener: string]: string | undefined } = { '(': ')', '[': ']', '{': '}' }

const matchLengthAt = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0].length ?? 0
}

/** Returns the end of the argument that begins at `from`: its closing parenthesis, or the end of the text. */
const findArgumentEnd = (text: string, from: number): number => {
  const expectedClosers = [')']
  let isQuoted = false
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index)
    if (isQuoted && character === '\\') index++
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === expectedClosers.at(-1)) expectedClosers.pop()
    else if (!isQuoted && CLOSERS[character] !== undefined) expectedClosers.push(CLOSERS[character])
    if (expectedClosers.length === 0) return index
  }
  return text.length
}

/**
 * Scans as much of a text as possible. The parser cannot be used, because it rejects incomplete text, which
 * is common in an editor.
 */
class Scanner {
  readonly text: string
  readonly tokens: ExpressionToken[] = []
  readonly openLists: OpenList[] = [{ path: [], listIndex: 0, closer: '' }]
  inArgument = false
  #listCount = 0
  #lastName = ''

  constructor(text: string) {
    this.text = text
  }

  get currentList(): OpenList {
    return this.openLists.at(-1) ?? { path: [], listIndex: 0, closer: '' }
  }

  addToken(kind: TokenKind, from: number, to: number): number {
    const { path, listIndex } = this.currentList
    this.tokens.push({ kind, from, to, text: this.text.slice(from, to), path, listIndex })
    return to
  }

  addWord(from: number, to: number): number {
    const isModifier = this.tokens.at(-1)?.text === '.'
    if (!isModifier) this.#lastName = this.text.slice(from, to)
    return this.addToken(isModifier ? 'modifier' : 'name', from, to)
  }

  addArgument(from: number): number {
    const to = findArgumentEnd(this.text, from)
    this.inArgument = to === this.text.length
    return to > from ? this.addToken('argument', from, to) : to
  }

  addPunctuation(index: number): number {
    const character = this.text.charAt(index)
    const previousToken = this.tokens.at(-1)
    const opensList = character === '{' || (character === '(' && previousToken?.text === 'fields')
    if (character === this.currentList.closer) this.openLists.pop()
    const end = this.addToken('punctuation', index, index + 1)
    if (opensList) {
      const path = [...this.currentList.path, this.#lastName]
      this.openLists.push({ path, listIndex: ++this.#listCount, closer: character === '{' ? '}' : ')' })
    } else if (character === '(' && previousToken?.kind === 'modifier') return this.addArgument(end)
    return end
  }
}

/** Splits a complete or incomplete expression into tokens. Accepts any text. */
export const scanExpression = (text: string): ScanResult => {
  const scanner = new Scanner(text)
  let index = 0
  while (index < text.length) {
    const spaceLength = matchLengthAt(SPACE, text, index)
    const wordLength = matchLengthAt(WORD, text, index)
    if (spaceLength > 0) index += spaceLength
    else index = wordLength > 0 ? scanner.addWord(index, index + wordLength) : scanner.addPunctuation(index)
  }
  const { path, listIndex } = scanner.currentList
  return { tokens: scanner.tokens, path, listIndex, inArgument: scanner.inArgument }
}
