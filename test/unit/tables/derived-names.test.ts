import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isName } from '../../../src/base/names.ts'
import { toGraphName, toPlural, toSingular, UniqueNames } from '../../../src/tables/derive/graph-names.ts'
import { isSecretName } from '../../../src/tables/derive/secret-names.ts'

describe('the names of a derived graph', () => {
  it.each([
    ['createdAt', 'created_at'],
    ['InvoiceLine', 'invoice_line'],
    ['HTTPServer', 'http_server'],
    ['Über Größe', 'uber_gro_e'],
    ['2fa codes', 'column_2fa_codes'],
    ['ключ', 'column'],
    ['__proto__', 'proto'],
  ])('are words in lower case: %s becomes %s', (name, expected) => {
    expect(toGraphName(name, 'column')).toBe(expected)
  })

  it.each([
    ['photo', 'photos'],
    ['category', 'categories'],
    ['address', 'addresses'],
    ['day', 'days'],
    ['movie', 'movies'],
    ['box', 'boxes'],
    ['status', 'statuses'],
    ['news', 'news'],
    ['child', 'children'],
    ['self', 'selves'],
    ['family_person', 'family_people'],
  ])('have plurals: %s becomes %s and back', (singular, plural) => {
    expect(toPlural(singular)).toBe(plural)
    expect(toPlural(plural)).toBe(plural)
    expect(toSingular(plural)).toBe(singular)
    expect(toSingular(singular)).toBe(singular)
  })

  it('are valid and differ from each other, whatever the tables are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 })), names => {
        const unique = new UniqueNames(['root'])
        const taken = names.map(name => unique.take(toGraphName(name, 'table')))
        expect(taken.filter(name => !isName(name) || name === 'root' || name.length > 66)).toEqual([])
        expect(new Set(taken).size).toBe(taken.length)
      }),
    )
  })
})

describe('the names that suggest secrets', () => {
  it.each([
    'password',
    'password_digest',
    'PasswordHash',
    'passwd',
    'api_key',
    'apiKey',
    'APIKEY',
    'accessToken',
    'token',
    'refresh_tokens',
    'clientSecret',
    'hash',
    'private-key',
    'salt',
    'pwd',
    'otp',
    'credentials',
  ])('have a word of a secret: %s', name => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'monkey',
    'monkey_id',
    'keyboard',
    'hashtag',
    'turkey',
    'compass',
    'name',
    'basalt',
    'spin',
    'id',
    '',
  ])('have no other word that contains one: %s', name => {
    expect(isSecretName(name)).toBe(false)
  })
})
