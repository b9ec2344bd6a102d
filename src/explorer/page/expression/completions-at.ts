import type { SchemaView } from '../../schema-view.ts'
import { type ExpressionParent, type MemberView, membersOf, parentAt } from '../schema/lookup.ts'
import { type ModifierView, modifiersAt } from './modifiers-at.ts'
import { type ExpressionToken, scanExpression } from './scan.ts'

/** A suggested word. */
export type Proposal = {
  readonly label: string
  readonly kind: 'field' | 'edge' | 'modifier' | 'value'
  /** The type, as a short text. */
  readonly detail: string
  readonly info: string
  /** The inserted text. If the text ends with a parenthesis, the cursor is placed before the parenthesis. */
  readonly insertText: string
}

/** The suggestions that replace the text between two positions. */
export type Proposals = {
  readonly from: number
  readonly to: number
  readonly proposals: readonly Proposal[]
}

const joinNotes = (words: readonly (string | false | undefined)[]): string =>
  words.filter(word => word !== undefined && word !== false && word !== '').join(' ')

const toMemberProposal = ({ kind, name, view }: MemberView): Proposal => ({
  label: name,
  kind,
  detail: kind === 'field' ? view.type : `→ ${view.targets.join(', ')}`,
  info: joinNotes([
    view.description,
    view.scope !== undefined && `Requires the scope ${view.scope}.`,
    kind === 'field' && view.deprecated !== undefined && `Deprecated: ${view.deprecated}`,
  ]),
  insertText: name,
})

const toValueProposal = (label: string): Proposal => ({
  label,
  kind: 'value',
  detail: '',
  info: '',
  // Other text would be split or lose its white space.
  insertText: /^[\w-]+$/.test(label) ? label : JSON.stringify(label),
})

const toModifierProposal = ({ label, detail, info }: ModifierView): Proposal => ({
  label,
  detail,
  info,
  kind: 'modifier',
  insertText: `${label}()`,
})

/** Returns the tokens of the last item: its name, and the tokens after the name. */
const findLastItemTokens = (tokens: readonly ExpressionToken[]): readonly ExpressionToken[] =>
  tokens.slice(
    Math.max(
      tokens.findLastIndex(({ kind }) => kind === 'name'),
      0,
    ),
  )

/** Returns the names in a list, except the one that begins at a position. */
const findTakenNames = (text: string, listIndex: number, position: number): ReadonlySet<string> =>
  new Set(
    scanExpression(text)
      .tokens.filter(
        token => token.kind === 'name' && token.listIndex === listIndex && token.from !== position,
      )
      .map(token => token.text),
  )

/**
 * Returns the suggestions at a position of a text: names of fields and edges, modifiers after a dot, values
 * in parentheses. Returns undefined if there is nothing to suggest.
 */
export const completionsAt = (
  text: string,
  position: number,
  schema: SchemaView,
  root: ExpressionParent,
): Proposals | undefined => {
  const prefixScan = scanExpression(text.slice(0, position))
  const lastToken = prefixScan.tokens.at(-1)
  const parent = parentAt(schema, root, prefixScan.path)
  const [nameToken, ...followingTokens] = findLastItemTokens(prefixScan.tokens)
  const members = membersOf(schema, parent)
  const modifiers = modifiersAt(schema, parent, nameToken?.text)
  const to = position + (/^\w*/.exec(text.slice(position))?.[0].length ?? 0)

  if (prefixScan.inArgument) {
    const modifier = followingTokens.findLast(({ kind }) => kind === 'modifier')?.text
    const values = modifiers.find(({ label }) => label === modifier)?.values
    const from = lastToken?.kind === 'argument' ? lastToken.from : position
    return values && { from, to, proposals: values.map(toValueProposal) }
  }
  const typedToken = lastToken !== undefined && lastToken.to === position ? lastToken : undefined
  if (typedToken?.kind === 'modifier' || typedToken?.text === '.') {
    const from = typedToken.kind === 'modifier' ? typedToken.from : position
    const otherTokens = followingTokens.filter(token => token !== typedToken && token.kind === 'modifier')
    const usedNames = new Set(otherTokens.map(token => token.text))
    const unusedModifiers = modifiers.filter(({ label }) => !usedNames.has(label))
    return { from, to, proposals: unusedModifiers.map(toModifierProposal) }
  }
  const startsName = lastToken === undefined || typedToken?.kind === 'name' || /^[{,(]$/.test(lastToken.text)
  if (!startsName) return undefined
  const from = typedToken?.kind === 'name' ? typedToken.from : position
  const takenNames = findTakenNames(text, prefixScan.listIndex, from)
  return { from, to, proposals: members.filter(member => !takenNames.has(member.name)).map(toMemberProposal) }
}
