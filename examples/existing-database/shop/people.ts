import type { Names } from './names.ts'
import type { Random } from './random.ts'
import { createRows, type TableRows, type Value } from './rows.ts'
import { DAY_MS, formatDay, NOW } from './times.ts'

export const CUSTOMER_COUNT = 60
const EMPLOYEE_COUNT = 8

const CONTACT_COLUMNS = ['address', 'city', 'state', 'country', 'postal_code', 'phone', 'fax', 'email']

/** Nobody can receive mail under the domain `example`, and no telephone has these numbers. */
const createContact = (random: Random, names: Names, name: string): Value[] => {
  const { street, city, state, country, postalCode } = names.address()
  const phone = `+00 555 ${random.int(1000, 9999)}`
  return [street, city, state, country, postalCode, phone, null, `${name.toLowerCase()}@mail.example`]
}

/** The title of an employee, and the manager. The first employee has none. */
const positionOf = (key: number): readonly [title: string, manager: number | null] => {
  if (key === 1) return ['General Manager', null]
  if (key === 2) return ['Sales Manager', 1]
  return key === 6 ? ['IT Manager', 1] : key > 6 ? ['IT Staff', 6] : ['Sales Support Agent', 2]
}

/** The keys of the employees who support customers. */
const AGENTS = [3, 4, 5] as const

/** Creates the employees and the customers. */
export const createPeople = (random: Random, names: Names): readonly TableRows[] => [
  {
    table: 'employee',
    columns: [
      'employee_id',
      'last_name',
      'first_name',
      'title',
      'reports_to',
      'birth_date',
      'hire_date',
      ...CONTACT_COLUMNS,
    ],
    rows: createRows(EMPLOYEE_COUNT, key => {
      const [given, family] = [names.givenName(), names.familyName()]
      const birth = NOW - random.int(25 * 365, 60 * 365) * DAY_MS
      const hire = NOW - random.int(100, 4000) * DAY_MS
      const contact = createContact(random, names, `${given}.${family}`)
      return [key, family, given, ...positionOf(key), formatDay(birth), formatDay(hire), ...contact]
    }),
  },
  {
    table: 'customer',
    columns: ['customer_id', 'first_name', 'last_name', 'company', ...CONTACT_COLUMNS, 'support_rep_id'],
    rows: createRows(CUSTOMER_COUNT, key => {
      const [given, family] = [names.givenName(), names.familyName()]
      const company = random.oneIn(6) ? `${family} and Partners` : null
      const contact = createContact(random, names, `${given}.${family}.${key}`)
      return [key, given, family, company, ...contact, random.oneIn(10) ? null : random.pick(AGENTS)]
    }),
  },
]
