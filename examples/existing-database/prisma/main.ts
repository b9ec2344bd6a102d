/**
 * Writes through an action with Prisma and reads with kithgraph, over one pool:
 *
 *     npx prisma generate --config examples/existing-database/prisma/prisma.config.ts
 *     npx tsx examples/existing-database/prisma/main.ts postgres://user:password@host/database
 *
 * Prisma needs the models in `schema.prisma`, and kithgraph the description in `postgres/db.ts`. After
 * `prisma migrate`, `npx kithgraph introspect` describes the tables again.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import { openPostgresShop } from '../open-shop.ts'
import { publishReview, type SaveReview } from '../publish-review.ts'
import { PrismaClient } from './generated/client.ts'

const pool = await openPostgresShop(process.argv[2] ?? '')
const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'music_shop' }) })

const save: SaveReview = async review => {
  await prisma.review.createMany({ data: [review], skipDuplicates: true })
  return (await prisma.review.findUnique({ where: { reviewId: review.reviewId } })) ?? undefined
}
console.log(JSON.stringify(await publishReview(pool, 'Written with Prisma', save)))

await prisma.review.deleteMany({ where: { body: 'Written with Prisma' } })
await prisma.$disconnect()
await pool.end()
