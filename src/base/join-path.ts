import { describeValue } from './describe.ts'

const SHORT_WORD = /^\w{1,60}$/

/** Returns the path of a member. A long or unusual name is shortened and quoted. */
export const joinPath = (parentPath: string, name: string): string => {
  if (!SHORT_WORD.test(name)) return `${parentPath}[${describeValue(name)}]`
  return parentPath === '' ? name : `${parentPath}.${name}`
}
