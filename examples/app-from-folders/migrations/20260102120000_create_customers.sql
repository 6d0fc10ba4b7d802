create table customers (
  id bigint generated always as identity primary key,
  name text not null
);
alter table orders add column customer_id bigint references customers (id);
