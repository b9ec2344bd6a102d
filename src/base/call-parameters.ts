/**
 * The parameters of HTTP calls. Each of them is used or ignored on every path, so a parameter of an edge has
 * another name.
 */
export const CALL_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'appsecret_proof',
  'appsecret_time',
  'fields',
  'limit',
  'after',
  'before',
  'since',
  'until',
  'order',
  'summary',
  'offset',
  'id',
  'ids',
  'node_type',
  'method',
  'format',
  'pretty',
  'debug',
  'partial',
  'metadata',
  'locale',
  'date_format',
  'callback',
  'sdk',
  'transport',
  'suppress_http_code',
  'return_ssl_resources',
  'include_headers',
  'redirect',
  'batch',
  '__paging_token',
])

/** Whether a query parameter belongs to the call. Names that begin with `_` do too. */
export const isCallParameter = (name: string): boolean => name.startsWith('_') || CALL_PARAMETERS.has(name)
