create function hypopg_create_index(sql_order text, out indexrelid oid, out indexname text) returns setof record language sql as
  $$ select null::oid, null::text where false $$;
create function hypopg_reset() returns void language sql as '';
create function hypopg(out indexname text, out indexrelid oid, out indrelid oid, out innatts integer, out indisunique boolean)
  returns setof record language sql as $$ select null::text, null::oid, null::oid, null::integer, null::boolean where false $$;
