create function dblink_connect(text) returns text language plpgsql as $$
begin
  raise exception 'could not establish connection' using errcode = '08001', hint = 'The emulator has no network.';
end $$;
create function dblink_connect(text, text) returns text language sql as $$ select @extschema@.dblink_connect($2) $$;
create function dblink(text, text) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_connect($1); end $$;
create function dblink(text) returns setof record language plpgsql as $$ begin perform @extschema@.dblink_connect($1); end $$;
create function dblink_exec(text, text) returns text language sql as $$ select @extschema@.dblink_connect($1) $$;
create function dblink_exec(text) returns text language sql as $$ select @extschema@.dblink_connect($1) $$;
create function dblink_disconnect() returns text language sql as $$ select 'OK' $$;
create function dblink_disconnect(text) returns text language sql as $$ select 'OK' $$;
create foreign data wrapper dblink_fdw;
grant usage on foreign data wrapper dblink_fdw to postgres with grant option;
