create function plpgsql_check_function(funcoid regprocedure) returns setof text language sql as $$ select null::text where false $$;
create function plpgsql_check_function(name text) returns setof text language sql as $$ select null::text where false $$;
