/**
 * Creates the tables of the shop, so that the commands of the README have a database:
 *
 *     npx tsx examples/existing-database/create.ts sqlite:./shop.db
 *     npx tsx examples/existing-database/create.ts postgres://user:password@host/database
 */
import Database from 'better-sqlite3'
import { openPostgresShop } from './open-shop.ts'
import { createShopSql, POSTGRES_SCHEMA } from './shop/shop-sql.ts'

const url = process.argv[2] ?? ''
const path = /^sqlite:(.+)$/.exec(url)?.[1]
if (path !== undefined) {
  new Database(path).exec(createShopSql('sqlite')).close()
  console.log(`created the tables in ${path}`)
} else if (/^postgres(?:ql)?:/.test(url)) {
  await (await openPostgresShop(url)).end()
  console.log(`created the tables in the schema ${POSTGRES_SCHEMA}`)
} else {
  console.error('Expected the URL sqlite:./shop.db or postgres://user:password@host/database.')
  process.exitCode = 2
}
