/**
 * Starts the issuer and Next.js, and prints a request for each of two partners:
 *
 *     npx tsx examples/partner-api/main.ts
 */
import { startIssuer } from './issuer.ts'
import { startNext } from './start-next.ts'

const issuer = await startIssuer()
const next = await startNext(import.meta.dirname, process.env.PORT ?? '3000', {
  ISSUER: issuer.url,
  SECRET: process.env.SECRET ?? 'for this demo alone, and no service',
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, next.stop)
next.ended.then(issuer.stop)

for (const [app, scope] of [
  ['crm', 'email user_friends'],
  ['newsletter', 'user_friends'],
] as const) {
  const token = await issuer.sign({ app, viewer: '1', scope })
  const url = `${next.origin}/graph/v1.0/me?fields=name,email,friends{name}&pretty=1`
  console.log(`# ${app}, with the scopes ${scope}\ncurl -g '${url}' -H 'Authorization: Bearer ${token}'\n`)
}
console.log('Ctrl-C stops.')
