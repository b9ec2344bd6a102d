import type { SchemaView } from '../../schema-view.ts'
import { type Member, membersAt, type Place, placeAt } from '../schema/lookup.ts'
import { scan, type Token } from './scan.ts'

/** A word that would do at a place. */
export type Proposal = {
  readonly label: string
  readonly kind: 'field' | 'edge' | 'modifier' | 'value'
  /** The type, in a few words. */
  readonly detail: string
  readonly info: string
  /** What is put in; where it ends in a parenthesis, the cursor belongs in front of that. */
  readonly insert: string
}

/** What would do in place of the text between two positions. */
export type Proposals = {
  readonly from: number
  readonly to: number
  readonly proposals: readonly Proposal[]
}

const ALIAS = { label: 'as', detail: 'name', info: 'The name in the answer.' }

const EDGE_MODIFIERS = [
  { label: 'limit', detail: 'int', info: 'The size of a page, from 1.' },
  { label: 'summary', detail: 'bool', info: 'Adds how many there are in all.' },
  { label: 'order', detail: 'order', info: 'By time: chronological or reverse_chronological.' },
  { label: 'since', detail: 'time', info: 'Not before: unix seconds or ISO 8601.' },
  { label: 'until', detail: 'time', info: 'Not after: unix seconds or ISO 8601.' },
  { label: 'after', detail: 'cursor', info: 'The page behind a cursor.' },
  { label: 'before', detail: 'cursor', info: 'The page in front of a cursor.' },
  ALIAS,
]

const VALUES: { readonly [type: string]: readonly string[] | undefined } = {
  bool: ['true', 'false'],
  order: ['chronological', 'reverse_chronological'],
}

const notesOf = (words: readonly (string | false | undefined)[]): string =>
  words.filter(word => word !== undefined && word !== false && word !== '').join(' ')

const proposalOf = ({ kind, name, view }: Member): Proposal => ({
  label: name,
  kind,
  detail: kind === 'field' ? view.type : `→ ${view.targets.join(', ')}`,
  info: notesOf([
    view.description,
    view.scope !== undefined && `Needs the scope ${view.scope}.`,
    kind === 'field' && view.deprecated !== undefined && `Deprecated: ${view.deprecated}`,
  ]),
  insert: name,
})

const valueProposal = (label: string): Proposal => ({
  label,
  kind: 'value',
  detail: '',
  info: '',
  insert: label,
})

const callProposal = (label: string, detail: string, info: string): Proposal => ({
  label,
  kind: 'modifier',
  detail,
  info,
  insert: `${label}()`,
})

/** The modifiers that a name can take. */
const modifiersOf = (member: Member | undefined): typeof EDGE_MODIFIERS => {
  if (member === undefined) return []
  if (member.kind === 'edge') return EDGE_MODIFIERS
  const parameters = member.view.parameters ?? []
  return [...parameters.map(({ name, type }) => ({ label: name, detail: type, info: '' })), ALIAS]
}

/** The tokens of the item that the last token belongs to: its name, and what follows that. */
const itemAtEnd = (tokens: readonly Token[]): readonly Token[] =>
  tokens.slice(
    Math.max(
      tokens.findLastIndex(({ kind }) => kind === 'name'),
      0,
    ),
  )

/** The names of a list but for the one that begins at a position. */
const namesTaken = (text: string, list: number, position: number): ReadonlySet<string> =>
  new Set(
    scan(text)
      .tokens.filter(token => token.kind === 'name' && token.list === list && token.from !== position)
      .map(token => token.text),
  )

/**
 * What would do at a position of a text: names of fields and edges, modifiers behind a dot, values in a parenthesis.
 * Undefined where nothing is known.
 */
export const completionsAt = (
  text: string,
  position: number,
  schema: SchemaView,
  root: Place,
): Proposals | undefined => {
  const before = scan(text.slice(0, position))
  const last = before.tokens.at(-1)
  const place = placeAt(schema, root, before.path)
  const [name, ...rest] = itemAtEnd(before.tokens)
  const members = membersAt(schema, place)
  const modifiers = modifiersOf(members.find(member => member.name === name?.text))
  const to = position + (/^\w*/.exec(text.slice(position))?.[0].length ?? 0)

  if (before.inArgument) {
    const modifier = rest.findLast(({ kind }) => kind === 'modifier')?.text
    const values = VALUES[modifiers.find(({ label }) => label === modifier)?.detail ?? '']
    const from = last?.kind === 'argument' ? last.from : position
    return values && { from, to, proposals: values.map(valueProposal) }
  }
  const typed = last !== undefined && last.to === position ? last : undefined
  if (typed?.kind === 'modifier' || typed?.text === '.') {
    const from = typed.kind === 'modifier' ? typed.from : position
    const used = new Set(
      rest.filter(token => token !== typed && token.kind === 'modifier').map(({ text }) => text),
    )
    const open = modifiers.filter(({ label }) => !used.has(label))
    return { from, to, proposals: open.map(({ label, detail, info }) => callProposal(label, detail, info)) }
  }
  const startsName = last === undefined || typed?.kind === 'name' || /^[{,(]$/.test(last.text)
  if (!startsName) return undefined
  const from = typed?.kind === 'name' ? typed.from : position
  const taken = namesTaken(text, before.list, from)
  return { from, to, proposals: members.filter(member => !taken.has(member.name)).map(proposalOf) }
}
