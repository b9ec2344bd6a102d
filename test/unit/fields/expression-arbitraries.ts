import fc from 'fast-check'
import type { FieldExpression, FieldItem, Modifier } from '../../../src/fields/expression.ts'

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,7}$/).filter(word => word !== 'fields')
const alias = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/).filter(word => word !== 'id' && word !== 'me')

const bare = fc.stringMatching(/^[A-Za-z0-9_\-:=+./]{0,10}$/)
const json = fc.jsonValue({ maxDepth: 2 }).map(value => JSON.stringify(value))

/** An argument as the parser returns it: without white space outside of quotes. */
const argument = fc.oneof(bare, json)

const modifiers = fc
  .tuple(
    fc.uniqueArray(fc.tuple(name, argument), { selector: ([word]) => word, maxLength: 3 }),
    fc.option(alias, { nil: undefined }),
  )
  .map(([others, as]): Modifier[] => [
    ...others.filter(([word]) => word !== 'as').map(([word, text]) => ({ name: word, argument: text })),
    ...(as === undefined ? [] : [{ name: 'as', argument: as }]),
  ])

const itemArbitrary = (fields: fc.Arbitrary<FieldExpression | undefined>): fc.Arbitrary<FieldItem> =>
  fc.record({ name, modifiers, fields }).map(item => ({
    ...item,
    key: item.modifiers.find(modifier => modifier.name === 'as')?.argument ?? item.name,
  }))

const listArbitrary = (item: fc.Arbitrary<FieldItem>): fc.Arbitrary<FieldExpression> =>
  fc.uniqueArray(item, { selector: ({ key }) => key, minLength: 1, maxLength: 4 })

const leaves = listArbitrary(itemArbitrary(fc.constant(undefined)))
const branches = listArbitrary(itemArbitrary(fc.option(leaves, { nil: undefined })))

/** Expressions of up to three levels, as the parser returns them. */
export const expressions = listArbitrary(itemArbitrary(fc.option(branches, { nil: undefined })))
