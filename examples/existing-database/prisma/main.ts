/**
 * Writes with Prisma and reads with kithgraph, over one pool:
 *
 *     npx prisma generate --config examples/existing-database/prisma/prisma.config.ts
 *     npx tsx examples/existing-database/prisma/main.ts postgres://user:password@host/database
 *
 * Prisma needs the models in `schema.prisma`, and kithgraph the description in `postgres/db.ts`. After
 * `prisma migrate`, `npx kithgraph introspect` describes the tables again.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import { openPostgresShop } from '../open-shop.ts'
import { readReview } from '../read-with-graph.ts'
import { PrismaClient } from './generated/client.ts'

const pool = await openPostgresShop(process.argv[2] ?? '')
const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'music_shop' }) })

const { reviewId } = await prisma.review.create({
  data: {
    reviewId: crypto.randomUUID(),
    albumId: 1,
    customerId: 14,
    body: 'Written with Prisma',
    createdAt: new Date(),
  },
})
console.log(JSON.stringify(await readReview(pool, reviewId, 14)))

await prisma.review.delete({ where: { reviewId } })
await prisma.$disconnect()
await pool.end()
