-- Servers, mappings and foreign tables can be declared, and not be read.
create foreign data wrapper postgres_fdw;
grant usage on foreign data wrapper postgres_fdw to postgres with grant option;
