import { defineSchema } from 'kithgraph'

/** What a function throws at arguments that the compiler would refuse. */
export const thrownBy = (call: (...args: never[]) => unknown, ...args: unknown[]): unknown => {
  try {
    Reflect.apply(call, undefined, args)
  } catch (error) {
    return error
  }
  return undefined
}

/** The faults of a schema, one text each. */
export const faultsOf = (types: object, options?: object): string[] => {
  const error = thrownBy(defineSchema, types, options)
  if (!(error instanceof TypeError)) throw error ?? new Error('the schema was taken')
  const [head, ...faults] = error.message.split('\n')
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  if (head !== `The schema has ${count}:`) throw error
  return faults.map(fault => fault.replace(/^- /, ''))
}
