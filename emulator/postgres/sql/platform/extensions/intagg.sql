create aggregate int_array_aggregate(integer) (sfunc = array_append, stype = integer[], initcond = '{}');
create function int_array_enum(integer[]) returns setof integer language sql immutable strict as $$ select unnest($1) $$;
