import { stripWhiteSpace } from '../../../fields/parse.ts'
import { type ActionRequest, createActionRequest, type FormCall } from '../action/action-call.ts'
import { formatAwaitedCall, formatObjectOption, quoteShell, quoteText } from './literals.ts'
import type { Snippet } from './snippets.ts'

const createCurlCode = (graphUrl: string, { method, path, headers, body }: ActionRequest): string =>
  [
    `curl -X ${method} ${quoteShell(graphUrl + path)}`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${quoteShell(body)}`]),
  ].join(' \\\n')

const createBatchCode = ({ method, path, headers, body }: ActionRequest): string =>
  JSON.stringify(
    {
      method,
      relative_url: path.slice(1),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== undefined && { body }),
    },
    null,
    2,
  )

const createCall = (call: FormCall, newestVersion: string): string => {
  const { type, id, action, values, fields, key, version } = call
  const options = [
    ...(type === id ? [] : [['type', quoteText(type)] as const]),
    ['id', quoteText(id)] as const,
    ['action', quoteText(action.name)] as const,
    ...(Object.keys(values).length === 0 ? [] : [['parameters', formatObjectOption(values)] as const]),
    ...(stripWhiteSpace(fields) === '' ? [] : [['fields', quoteText(stripWhiteSpace(fields))] as const]),
    ...(key === undefined ? [] : [['idempotencyKey', quoteText(key)] as const]),
    ...(version === newestVersion ? [] : [['version', quoteText(version)] as const]),
  ]
  return formatAwaitedCall('result', 'client.callAction', options)
}

const createClientCode = (graphUrl: string, call: FormCall, newestVersion: string): string => `\
import { createClient } from 'kithgraph/client'
import type { actions } from './actions.ts'
import type { schema } from './schema.ts'

const client = createClient<typeof schema, typeof actions>(${quoteText(graphUrl)})
${createCall(call, newestVersion)}`

/** Creates the code of a call: a request with curl, an item of a batch, and a call of the client. */
export const createActionSnippets = (
  call: FormCall,
  graphUrl: string,
  newestVersion: string,
): readonly Snippet[] => {
  const request = createActionRequest(call)
  return [
    { title: 'curl', code: createCurlCode(graphUrl, request) },
    { title: 'Item of a batch', code: createBatchCode(request) },
    { title: 'Client', code: createClientCode(graphUrl, call, newestVersion) },
  ]
}
