-- Queues requests and sends none.
create schema if not exists net;
create domain net.http_method as text check (value ilike 'get' or value ilike 'post' or value ilike 'delete');
create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);
create unlogged table net.http_request_queue (
  id bigserial,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);
create unlogged table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);

create function net._urlencode_string(string varchar) returns text language sql immutable strict set search_path = '' as $$
  select coalesce(string_agg(case when c ~ '[A-Za-z0-9_.~-]' then c
      else regexp_replace(upper(encode(convert_to(c, 'utf8'), 'hex')), '(..)', '%\1', 'g') end, ''), '')
    from regexp_split_to_table(string, '') c
$$;
create function net._encode_url_with_params_array(url text, params_array text[]) returns text
  language sql immutable strict set search_path = '' as $$
  select url || case when cardinality(params_array) = 0 then '' when url like '%?%' then '&' else '?' end
    || array_to_string(params_array, '&')
$$;
create function net._queue(method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds integer) returns bigint
  language sql security definer set search_path = '' as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds) values (method,
    net._encode_url_with_params_array(url, coalesce((select array_agg(net._urlencode_string(p.key) || '=' || net._urlencode_string(p.value))
      from jsonb_each_text(params) p), '{}')), headers, body, timeout_milliseconds) returning id
$$;
create function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000)
  returns bigint language sql set search_path = '' as
  $$ select net._queue('GET', url, params, headers, null, timeout_milliseconds) $$;
create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000)
  returns bigint language sql set search_path = '' as
  $$ select net._queue('POST', url, params, headers, convert_to(body::text, 'utf8'), timeout_milliseconds) $$;
create function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}',
  timeout_milliseconds integer default 5000, body jsonb default null) returns bigint language sql set search_path = '' as
  $$ select net._queue('DELETE', url, params, headers, convert_to(body::text, 'utf8'), timeout_milliseconds) $$;
create function net._await_response(request_id bigint) returns boolean language sql as $$ select false $$;
create function net.http_collect_response(request_id bigint, async boolean default true) returns net.http_response_result
  language sql set search_path = '' as
  $$ select row('PENDING', 'request is pending processing', null)::net.http_response_result $$;
create function net.check_worker_is_up() returns void language sql as '';
create function net.worker_restart() returns boolean language sql as $$ select true $$;
create function net.wait_until_running() returns void language sql as '';
create function net.wake() returns void language sql as '';
grant usage on schema net to public;
