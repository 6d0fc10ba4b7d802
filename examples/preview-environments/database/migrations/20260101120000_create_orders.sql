create table orders (
  id bigint generated always as identity primary key,
  placed_at timestamptz not null default now()
);
alter table orders enable row level security;
