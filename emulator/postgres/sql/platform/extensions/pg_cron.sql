-- Records jobs and runs none.
create schema cron;
create sequence cron.jobid_seq;
create sequence cron.runid_seq;
create table cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default coalesce(inet_server_port(), 5432),
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);
create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);
select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');
grant usage on schema cron to public;
grant select on cron.job to public;
grant select, delete on cron.job_run_details to public;

-- Who calls: these functions run as their owner, in whose hands `current_user` is.
create function cron.caller() returns text language sql stable set search_path = '' as
  $$ select coalesce(nullif(current_setting('role'), 'none'), session_user) $$;

create function cron.check_schedule(schedule text) returns void language plpgsql immutable set search_path = '' as $$
declare
  field text := '(\*|([0-9]+|[a-z]{3})(-([0-9]+|[a-z]{3}))?|\$)(/[0-9]+)?';
begin
  if schedule ~* '^\s*([1-9]|[1-5][0-9])\s+seconds?\s*$'
    or schedule ~* '^\s*@(yearly|annually|monthly|weekly|daily|midnight|hourly|every_minute|reboot)\s*$'
    or schedule ~* ('^\s*' || repeat(field || '(,' || field || ')*\s+', 4) || field || '(,' || field || ')*\s*$')
      and not exists (
        select from regexp_split_to_table(trim(schedule), '\s+') with ordinality part (text, nth),
            regexp_matches(part.text, '(?<![/0-9])[0-9]+', 'g') number
          where number[1]::int not between (array[0, 0, 1, 1, 0])[nth] and (array[59, 23, 31, 12, 7])[nth]) then
    return;
  end if;
  raise exception 'invalid schedule: %', schedule
    using hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
end $$;

create function cron.schedule_in_database(job_name text, schedule text, command text, database text, username text default null,
  active boolean default true) returns bigint language plpgsql security definer set search_path = '' as $$
declare
  id bigint;
begin
  perform cron.check_schedule(schedule);
  if username is not null and username <> cron.caller() and not pg_catalog.pg_has_role(session_user, username, 'member') then
    raise exception 'must be a member of the role "%" to schedule a job for it', username using errcode = '42501';
  end if;
  insert into cron.job as j (jobname, schedule, command, database, username, active)
    values (job_name, schedule, command, database, coalesce(username, cron.caller()), active)
    on conflict on constraint jobname_username_uniq do update set schedule = excluded.schedule, command = excluded.command,
      database = excluded.database, active = excluded.active
    returning j.jobid into id;
  return id;
end $$;
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql set search_path = '' as
  $$ select cron.schedule_in_database(job_name, schedule, command, current_database()) $$;
create function cron.schedule(schedule text, command text) returns bigint language sql set search_path = '' as
  $$ select cron.schedule_in_database(null, schedule, command, current_database()) $$;

create function cron.alter_job(job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if schedule is not null then perform cron.check_schedule(schedule); end if;
  update cron.job j set schedule = coalesce(alter_job.schedule, j.schedule), command = coalesce(alter_job.command, j.command),
      database = coalesce(alter_job.database, j.database), username = coalesce(alter_job.username, j.username),
      active = coalesce(alter_job.active, j.active)
    where j.jobid = job_id and j.username = cron.caller();
  if not found then raise exception 'Job % does not exist or you don''t own it', job_id; end if;
end $$;

create function cron.unschedule(job_id bigint) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  delete from cron.job j where j.jobid = job_id and j.username = cron.caller();
  if not found then raise exception 'could not find valid entry for job %', job_id; end if;
  return true;
end $$;
create function cron.unschedule(job_name text) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  delete from cron.job j where j.jobname = job_name and j.username = cron.caller();
  if not found then raise exception 'could not find valid entry for job ''%''', job_name; end if;
  return true;
end $$;
create function cron.job_cache_invalidate() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger cron_job_cache_invalidate after insert or update or delete or truncate on cron.job
  for each statement execute function cron.job_cache_invalidate();
