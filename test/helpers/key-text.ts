import fc from 'fast-check'

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 25 })
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits).map(parts => parts.join('')),
  fc.double().map(String),
  fc.tuple(digits, fc.integer({ min: -400, max: 400 })).map(([whole, exponent]) => `${whole}e${exponent}`),
)
const date = fc
  .tuple(fc.nat(6_000_000), fc.nat(13), fc.nat(32), fc.constantFrom('', ' BC'))
  .map(([year, month, day, era]) => {
    const [monthText, dayText] = [month, day].map(part => `${part}`.padStart(2, '0'))
    return `${`${year}`.padStart(4, '0')}-${monthText}-${dayText}${era}`
  })
/** Texts near the limits of a type, or of a form that another reader accepts. */
const limits = fc.constantFrom(
  ...['-210866803200000000', '-210866803200000001', '9224318015999999999', '9224318016000000000'],
  ...['4713-01-01 BC', '4714-11-24 BC', '5874897-12-31', '5874898-01-01', '0001-01-01 BC', '00010-01-01'],
  ...['3.4028235e38', '3.40282357e38', '1e-45', '0.7e-45', '4.9e-324', '2e-324', '1.7976931348623159e308'],
  ...['NaN', 'Infinity', '-infinity', 'infinity', 'true', 't', 'ok', "it's", 'OK', '', ' 1', '0x1', '1_000'],
  ...['0190f3c2-0000-4000-8000-00000000abcd', '{0190f3c2-0000-4000-8000-00000000abcd}', '\u0000', 'a\u0000'],
)
/** Any texts, and texts near those that a column of some type can hold. */
export const keyText = fc.oneof(limits, number, date, fc.uuid(), fc.string(), fc.string({ unit: 'binary' }))
