import { STUDIO_DDL } from './studio-description.ts'

/** Rows with equal times, times one microsecond apart, missing values, soft-deleted rows and two tenants. */
const STUDIO_ROWS = `
insert into studio.org (name) values ('first'), ('second');
insert into studio.account (org_id, manager_id, name, email, mood, settings, birthday, balance, created_at, deleted_at)
select 1 + (i % 7 = 0)::int, case when i > 3 then 1 + i % 3 end, 'name ' || i % 5, 'Mail' || i || '@example.com',
  (array['calm', 'busy'])[1 + i % 2]::studio.mood, json_build_object('deep', repeat('x', i)),
  date '1970-01-01' - i * 40000, i * 1.25, '1969-12-31 23:59:59.9999+00'::timestamptz + i / 2 * interval '1 microsecond',
  case when i % 9 = 0 then now() end
from generate_series(1, 24) as i;
insert into studio.photo (owner_id, caption, state, width, rating, created_at, taken_at, deleted_at)
select 1 + i % 4, case when i % 3 > 0 then 'caption ' || i end, (array['draft', 'public'])[1 + i % 2], i,
  case i % 8 when 0 then null when 1 then 'NaN' when 2 then '-Infinity' else i / 10.0 end::float8,
  '2024-05-01 10:00:00+00'::timestamptz + i / 3 * interval '1 microsecond',
  case i % 5 when 0 then null when 1 then '-infinity' when 2 then '0044-03-15 BC' else '2024-01-01'::timestamptz + i * interval '1 ms' end,
  case when i % 10 = 0 then now() end
from generate_series(1, 80) as i;
insert into studio.comment (id, photo_id, author_id, body, created_at, seen_on, deleted_at)
select md5(i::text)::uuid, 1 + i % 40, 1 + i % 24, 'body ' || i, '2024-05-02'::timestamptz + i / 4 * interval '1 microsecond',
  '2024-10-27 00:00:00'::timestamp + i * interval '90 seconds', case when i % 11 = 0 then now() end
from generate_series(1, 160) as i;
insert into studio.follow (follower_id, followee_id, note, muted, created_at)
select a, b, case when a > b then 'note ' || a end, a % 2 = 0, '2024-05-03'::timestamptz + (a * b % 7) * interval '1 microsecond'
from generate_series(1, 24) as a, generate_series(1, 24) as b where (a + b) % 3 = 0;
update studio.account set follower_count = (select count(*) from studio.follow where followee_id = account.id);
`

const TEAM_ROWS = `
insert into studio.team (slug, org_id, name) select 'team ' || i, 1 + i % 2, 'Team ' || i from generate_series(1, 8) as i;
insert into studio.membership (team_slug, account_id, role, joined_at)
select 'team ' || t, a, (array['owner', 'member'])[1 + a % 2], '2024-05-03'::timestamptz + a * interval '1 microsecond'
from generate_series(1, 8) as t, generate_series(1, 24) as a where (a * t) % 3 = 0;
insert into studio.revision (photo_id, number, caption, editor_id, previous_photo_id, previous_number)
select p, n, 'revision ' || n, 1 + (p + n) % 24, case when n > 1 then p end, case when n > 1 then n - 1 end
from generate_series(1, 20) as p, generate_series(1, 3) as n order by n;
`

/** Creates and fills the tables of the studio. */
export const STUDIO_SQL = `${STUDIO_DDL};${STUDIO_ROWS}${TEAM_ROWS}`
