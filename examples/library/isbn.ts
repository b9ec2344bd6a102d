import { defineFieldType } from 'kithgraph'

const hasValidCheckDigit = (digits: string): boolean => {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return sum % 10 === 0
}

/** An ISBN. A write accepts hyphens. The stored and returned value has 13 digits. */
export const isbn = defineFieldType({
  name: 'isbn',
  expected: 'an ISBN of 13 digits with a valid check digit',
  parse: (value: string) => {
    const digits = value.replaceAll('-', '')
    return /^97[89]\d{10}$/.test(digits) && hasValidCheckDigit(digits) ? digits : undefined
  },
  serialize: digits => digits,
})
