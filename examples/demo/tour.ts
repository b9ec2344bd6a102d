/**
 * Loads the people of a novel and asks for them in-process, in a dozen ways: each call is printed as code, then its answer.
 *
 *     npm run tour
 *     npm run tour -- --store sqlite:./graph.db
 *
 * Without a store named by its URL, nothing is left afterwards. With one, the next start finds the graph there.
 */
import { parseArgs, styleText } from 'node:util'
import { isGraphError } from 'kithgraph'
import { openStore } from '../shared/open-store.ts'
import { printJson } from '../shared/print-json.ts'
import { createCalls, type DemoCall } from './calls.ts'
import { comments, NOW, pages, photos, posts } from './content.ts'
import { createDemo, SCOPES } from './graph.ts'
import { novelSize } from './novel.ts'
import { readCode } from './source.ts'

const LONGEST_LIST = 3

const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  process.stdout.isTTY ? styleText(style, text) : text

const answerOf = async ({ ask }: DemoCall): Promise<unknown> => {
  try {
    return await ask()
  } catch (error) {
    if (!isGraphError(error)) throw error
    // The trace id is another in every run.
    return { error: { ...error.toJSON().error, fbtrace_id: '…' } }
  }
}

const INTRODUCTION = `\
kithgraph, shown on a novel: the ${novelSize.people} people of Les Misérables, and ${novelSize.links} links between those who
appear together. People, links and groups are the data set's. It has neither dates nor names of
groups: the demo dates the links a day apart, and calls a group after its best connected member.
Made up: ${pages.length} pages, ${posts.length} posts, ${photos.length} photos, ${comments.length} comments, likes, and the particulars of a few people.

The clock stands at ${new Date(NOW).toUTCString()}. "token" is Marius's, with the scopes
${SCOPES.join(', ')}; "bareToken" is his too, without any.
Of lists of more than ${LONGEST_LIST} items the rest is cut, and "… 7 more" says so.`

const codeOf = (call: DemoCall, code: ReadonlyMap<string, string>): string => {
  const text = code.get(call.title)
  if (text === undefined) throw new Error(`calls.ts does not show the call "${call.title}" as it should`)
  return text
}

const { values } = parseArgs({ options: { store: { type: 'string', default: 'memory:' } } })
const store = await openStore(values.store, 'demo').catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})

console.log(INTRODUCTION)
const demo = await createDemo(store)
const code = await readCode()
for (const [place, call] of createCalls(demo).entries()) {
  console.log(`\n${styled('bold', `${place + 1}. ${call.title}`)}\n`)
  console.log(styled('cyan', codeOf(call, code)))
  console.log(printJson(await answerOf(call), LONGEST_LIST))
}
await demo.graph.close()
