/** Single statements whose semicolons, if any, are not between statements: the provider and the emulator each split scripts of them. */
export const statements = [
  "select 1",
  "insert into t values ('a;b', 'it''s; fine')",
  "select E'a\\';b', e'\\\\'",
  'create table "odd;na""me" ("a;" int)',
  "do $$ begin perform 1; end $$",
  "create function f() returns void language plpgsql as $body$ begin execute $x$ select 1; $x$; end; $body$",
  "create or replace function f(a int) returns int begin atomic select case when a > 1 then 2 else 3 end; select 1; end",
  "create procedure p(begin int) language sql begin atomic insert into t values (1); end",
  "select 1 -- one; two\n + 2",
  "select /* one; /* two; */ three; */ 4",
  "create rule r as on insert to t do also (insert into a values (1); insert into b values (2))",
  "select case when true then 1 end",
  "select $1, a$b$c, 1e5 from t",
  "-- first\nselect 2",
];
