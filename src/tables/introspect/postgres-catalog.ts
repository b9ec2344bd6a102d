import type { Statement } from '../../stores/postgres/database.ts'

/** The schemas of the search path, without those that do not exist. */
export const SEARCH_PATH: Statement = { text: `select unnest(current_schemas(false))` }

/** Those of the schemas `$1` that exist. */
export const SCHEMAS: Statement = {
  text: 'select nspname from pg_namespace where nspname = any ($1::text[])',
}

/**
 * The tables and views of the schemas `$1`. Partitions are parts of their table, and the tables of extensions are
 * not those of the team.
 */
export const RELATIONS: Statement = {
  text: `select c.oid, n.nspname, c.relname, c.relkind in ('v', 'm'), c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
}

/**
 * The columns of the relations `$1`, with the base types of domains and of the elements of arrays.
 * - A NOT NULL of a domain is left out, because stored columns of the domain can contain NULL.
 * - The column of a NOT NULL constraint that was never validated can contain NULL too.
 */
export const COLUMNS: Statement = {
  text: `with recursive resolved (oid, base, modifier, has_default) as (
      select oid, oid, -1, false from pg_type where typtype <> 'd'
      union all
      select d.oid, r.base, case when d.typtypmod >= 0 then d.typtypmod else r.modifier end,
        r.has_default or d.typdefault is not null
      from resolved r join pg_type d on d.typbasetype = r.oid and d.typtype = 'd'
    )
    select a.attrelid, a.attname,
      a.attnotnull and not exists (select from pg_constraint v where v.conrelid = a.attrelid
        and v.contype = 'n' and not v.convalidated and v.conkey = array[a.attnum]),
      a.atthasdef or a.attidentity <> '' or outer_type.has_default,
      element.oid is not null, n.nspname, t.typname, t.typtype = 'e',
      case when t.typtype = 'e' then (select json_agg(e.enumlabel order by e.enumsortorder)
        from pg_enum e where e.enumtypid = t.oid) end,
      case when t.oid = 'numeric'::regtype then greatest(a.atttypmod, outer_type.modifier, inner_type.modifier) end,
      coalesce(not l.collisdeterministic, false),
      s.nspname, l.collname
    from pg_attribute a
    join resolved outer_type on outer_type.oid = a.atttypid
    join pg_type base on base.oid = outer_type.base
    left join pg_type element on element.oid = base.typelem and base.typcategory = 'A'
    left join resolved inner_type on inner_type.oid = element.oid
    join pg_type t on t.oid = coalesce(inner_type.base, base.oid)
    join pg_namespace n on n.oid = t.typnamespace
    left join pg_collation l on l.oid = a.attcollation
    left join pg_namespace s on s.oid = l.collnamespace
    where a.attrelid = any ($1::oid[]) and a.attnum > 0 and not a.attisdropped`,
}

/** A part of a statement: the names of the columns of a key, in its order, as JSON. */
const columnNames = (numbers: string, relation: string): string =>
  `(select json_agg(a.attname order by k.i) from unnest(${numbers}) with ordinality k (number, i)
      join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number)`

/**
 * The foreign keys between the relations `$1`. Those of partitions repeat those of their tables, and the last
 * column of a temporal key is not an equality.
 */
export const FOREIGN_KEYS: Statement = {
  text: `select f.conrelid, ${columnNames('f.conkey', 'f.conrelid')}, f.confrelid, ${columnNames('f.confkey', 'f.confrelid')}
    from pg_constraint f
    where f.contype = 'f' and f.conrelid = any ($1::oid[]) and f.confrelid = any ($1::oid[])
      and f.conparentid = 0 and coalesce((to_jsonb(f)->>'conperiod')::bool, false) is false`,
}

/**
 * The valid indexes of the relations `$1`. Each column is its name, or NULL for an expression; the options of its
 * order; and whether it is in the order of its values: by the default operators of its type, and in the collation
 * of the column.
 */
export const INDEXES: Statement = {
  text: `select i.indrelid, i.indisprimary, i.indisunique, pg_get_expr(i.indpred, i.indrelid), m.amname = 'btree',
      (select json_agg(json_build_array(a.attname, i.indoption[k.i],
          i.indcollation[k.i] = coalesce(a.attcollation, 0) and o.opcfamily = (select d.opcfamily
            from pg_opclass d where d.opcmethod = o.opcmethod and d.opcintype = o.opcintype and d.opcdefault))
          order by k.i)
        from generate_series(0, i.indnkeyatts - 1) k (i)
        join pg_opclass o on o.oid = i.indclass[k.i]
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[k.i] and a.attnum > 0)
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = any ($1::oid[]) and i.indisvalid`,
}
