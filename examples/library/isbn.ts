import { defineFieldType } from 'kithgraph'

const isRight = (digits: string): boolean => {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return sum % 10 === 0
}

/** An ISBN, with or without hyphens. It is stored and returned as its 13 digits. */
export const isbn = defineFieldType({
  name: 'isbn',
  expected: 'an ISBN of 13 digits, the last of which fits the others',
  parse: (value: string) => {
    const digits = value.replaceAll('-', '')
    return /^97[89]\d{10}$/.test(digits) && isRight(digits) ? digits : undefined
  },
  serialize: digits => digits,
})
