import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldExpression, FieldItem, Modifier } from '../../src/fields/expression.ts'
import { parseFields } from '../../src/fields/parse.ts'
import { printFields } from '../../src/fields/print.ts'
import { propertySettings } from './property-settings.ts'

const LIMITS = { length: 1_000_000, depth: 100, fields: 10_000 }

const name = fc.oneof(
  fc.constantFrom('id', 'name', 'photos', 'limit', 'as', 'fields', '__proto__', 'constructor'),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
)
const alias = fc
  .stringMatching(/^[a-z][a-z0-9_]{3,8}$/)
  .filter(word => word !== 'metadata' && word !== 'constructor')

/** The tokens of an argument: words, quoted texts with any characters, and balanced brackets. */
const argument: Arbitrary<readonly string[]> = fc.letrec<{
  tokens: readonly string[]
  token: readonly string[]
}>(tie => ({
  tokens: fc.array(tie('token'), { maxLength: 3 }).map(tokens => tokens.flat()),
  token: fc.oneof(
    { maxDepth: 3 },
    fc.stringMatching(/^[A-Za-z0-9:+,;=<>&|'-]{1,6}$/).map(word => [word]),
    fc
      .string({ unit: fc.constantFrom('a', ' ', '"', '\\', '(', ')', '{', '\n', '😀') })
      .map(text => [JSON.stringify(text)]),
    fc
      .tuple(fc.constantFrom('()', '[]', '{}'), tie('tokens'))
      .map(([pair, inside]) => [pair[0] ?? '', ...inside, pair[1] ?? '']),
  ),
})).tokens

type TokenModifier = { readonly name: string; readonly argument: readonly string[] }
type TokenItem = {
  readonly name: string
  readonly modifiers: readonly TokenModifier[]
  readonly below: readonly TokenItem[] | undefined
}

const keyOf = ({ name, modifiers }: TokenItem): string =>
  modifiers.find(({ name }) => name === 'as')?.argument[0] ?? name

const modifier: Arbitrary<TokenModifier> = fc.oneof(
  fc.record({ name: name.filter(word => word !== 'as' && word !== 'fields'), argument }),
  fc.record({ name: fc.constant('as'), argument: fc.tuple(alias) }),
)

/** Trees that follow the grammar. Their names need not exist in a schema. */
const tree: Arbitrary<readonly TokenItem[]> = fc.letrec<{ items: TokenItem[]; item: TokenItem }>(tie => ({
  items: fc.uniqueArray(tie('item'), { minLength: 1, maxLength: 4, selector: keyOf }),
  item: fc.record({
    name,
    modifiers: fc.uniqueArray(modifier, { maxLength: 3, selector: ({ name }) => name }),
    below: fc.option(tie('items'), { nil: undefined, maxDepth: 4, freq: 2 }),
  }),
})).items

const printExpression = (items: readonly TokenItem[]): FieldExpression =>
  items.map(
    (item): FieldItem => ({
      name: item.name,
      key: keyOf(item),
      modifiers: item.modifiers.map(
        ({ name, argument }): Modifier => ({ name, argument: argument.join('') }),
      ),
      fields: item.below && printExpression(item.below),
    }),
  )

/** Returns the tokens of an expression. `isOld` decides for each list whether it has the older notation. */
const toTokens = (items: readonly TokenItem[], isOld: () => boolean): readonly string[] =>
  items.flatMap(({ name, modifiers, below }, index) => {
    const calls = modifiers.flatMap(({ name, argument }) => ['.', name, '(', ...argument, ')'])
    const [open, close] = below !== undefined && isOld() ? [['.', 'fields', '('], ')'] : [['{'], '}']
    const list = below === undefined ? [] : [...open, ...toTokens(below, isOld), close]
    return [...(index === 0 ? [] : [',']), name, ...calls, ...list]
  })

const takeInTurn = <T>(choices: readonly T[], otherwise: T): (() => T) => {
  let next = 0
  return () => choices[next++ % Math.max(1, choices.length)] ?? otherwise
}

describe('field expressions', () => {
  it('are the same after they are printed and parsed', () => {
    fc.assert(
      fc.property(tree, items => {
        const expression = printExpression(items)
        expect(parseFields(printFields(expression), LIMITS)).toEqual(expression)
      }),
      propertySettings(200),
    )
  })

  it('mean the same with any white space, and in the older syntax with fields()', () => {
    const spaces = fc.array(fc.constantFrom('', ' ', '\n\t', '\r\n', '\u00a0'), { maxLength: 6 })
    fc.assert(
      fc.property(tree, spaces, fc.array(fc.boolean(), { maxLength: 3 }), (items, spaces, old) => {
        const space = takeInTurn(spaces, '')
        const text = toTokens(items, takeInTurn(old, false))
          .map(token => `${space()}${token}${space()}`)
          .join('')
        expect(parseFields(text, LIMITS)).toEqual(printExpression(items))
      }),
      propertySettings(200),
    )
  })
})
