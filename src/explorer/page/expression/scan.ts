/** What a stretch of an expression is, whether or not the whole is one. */
export type TokenKind = 'name' | 'modifier' | 'argument' | 'punctuation'

/** A stretch of the text of an expression: `from` counts from 0, `to` is behind its last character. */
export type Token = {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  readonly text: string
  /** The names whose braces it is in, outermost first. */
  readonly path: readonly string[]
  /** The list of names it is in: lists are numbered in the order in which they open. */
  readonly list: number
}

/** A text as far as it can be made out, and what stands open at its end. */
export type Scan = {
  readonly tokens: readonly Token[]
  readonly path: readonly string[]
  readonly list: number
  /** Whether the end is in an argument whose parenthesis is open. */
  readonly inArgument: boolean
}

type List = { readonly path: readonly string[]; readonly number: number; readonly closer: string }

const WORD = /\w+/y
const SPACE = /\s+/y
const CLOSERS: { readonly [opener: string]: string | undefined } = { '(': ')', '[': ']', '{': '}' }

const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** Where the argument that begins at `from` ends: at its parenthesis, or at the end of the text. */
const endOfArgument = (text: string, from: number): number => {
  const open = [')']
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === open.at(-1)) open.pop()
    else if (!quoted && CLOSERS[character] !== undefined) open.push(CLOSERS[character])
    if (open.length === 0) return at
  }
  return text.length
}

/** Reads what can be read: the parser refuses what is not whole, and an editor is mostly that. */
class Scanner {
  readonly text: string
  readonly tokens: Token[] = []
  readonly lists: List[] = [{ path: [], number: 0, closer: '' }]
  inArgument = false
  #opened = 0
  #name = ''

  constructor(text: string) {
    this.text = text
  }

  get list(): List {
    return this.lists.at(-1) ?? { path: [], number: 0, closer: '' }
  }

  add(kind: TokenKind, from: number, to: number): number {
    const { path, number: list } = this.list
    this.tokens.push({ kind, from, to, text: this.text.slice(from, to), path, list })
    return to
  }

  word(from: number, to: number): number {
    const isModifier = this.tokens.at(-1)?.text === '.'
    if (!isModifier) this.#name = this.text.slice(from, to)
    return this.add(isModifier ? 'modifier' : 'name', from, to)
  }

  argument(from: number): number {
    const to = endOfArgument(this.text, from)
    this.inArgument = to === this.text.length
    return to > from ? this.add('argument', from, to) : to
  }

  mark(at: number): number {
    const character = this.text.charAt(at)
    const before = this.tokens.at(-1)
    const opensList = character === '{' || (character === '(' && before?.text === 'fields')
    if (character === this.list.closer) this.lists.pop()
    const end = this.add('punctuation', at, at + 1)
    if (opensList) {
      const path = [...this.list.path, this.#name]
      this.lists.push({ path, number: ++this.#opened, closer: character === '{' ? '}' : ')' })
    } else if (character === '(' && before?.kind === 'modifier') return this.argument(end)
    return end
  }
}

/** Makes out the parts of a text that is an expression or is becoming one. Total: it takes any text. */
export const scan = (text: string): Scan => {
  const scanner = new Scanner(text)
  let at = 0
  while (at < text.length) {
    const space = matchAt(SPACE, text, at)
    const word = matchAt(WORD, text, at)
    if (space > 0) at += space
    else at = word > 0 ? scanner.word(at, at + word) : scanner.mark(at)
  }
  const { path, number: list } = scanner.list
  return { tokens: scanner.tokens, path, list, inArgument: scanner.inArgument }
}
