-- Types and functions without a network: whoever calls for a page gets an error.
create domain http_method as text;
create domain content_type as text check (value ~ '^\S+/\S+');
create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create type http_request as (method http_method, uri varchar, headers http_header[], content_type varchar, content varchar);

create function http(request http_request) returns http_response language plpgsql as $$
begin
  raise exception 'Could not resolve host: %', coalesce(substring(request.uri from '^\w+://([^/:?#]+)'), request.uri)
    using hint = 'The emulator has no network.';
end $$;
create function http_header(field varchar, value varchar) returns http_header language sql as $$ select $1, $2 $$;
create function http_headers(variadic args text[]) returns http_header[] language sql as $$
  select array_agg(row(args[i], args[i + 1])::@extschema@.http_header) from generate_series(1, cardinality(args), 2) i
$$;
create function bytea_to_text(data bytea) returns text language sql immutable strict as $$ select convert_from(data, 'utf8') $$;
create function text_to_bytea(data text) returns bytea language sql immutable strict as $$ select convert_to(data, 'utf8') $$;
create function urlencode(string bytea) returns text language sql immutable strict as $$
  select coalesce(string_agg(case when b between 1 and 127 and chr(b) ~ '[A-Za-z0-9_.~-]' then chr(b) else '%' || lpad(upper(to_hex(b)), 2, '0') end, '' order by i), '')
    from (select i, get_byte(string, i) as b from generate_series(0, length(string) - 1) i) bytes
$$;
create function urlencode(string varchar) returns text language sql immutable strict as
  $$ select @extschema@.urlencode(convert_to(string, 'utf8')) $$;
create function urlencode(data jsonb) returns text language sql immutable strict as $$
  select string_agg(@extschema@.urlencode(key::varchar) || '=' || @extschema@.urlencode(value::varchar), '&') from jsonb_each_text(data)
$$;
create function http_get(uri varchar) returns http_response language sql as
  $$ select @extschema@.http(('GET', uri, null, null, null)::@extschema@.http_request) $$;
create function http_get(uri varchar, data jsonb) returns http_response language sql as
  $$ select @extschema@.http(('GET', uri || '?' || @extschema@.urlencode(data), null, null, null)::@extschema@.http_request) $$;
create function http_post(uri varchar, content varchar, content_type varchar) returns http_response language sql as
  $$ select @extschema@.http(('POST', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_post(uri varchar, data jsonb) returns http_response language sql as
  $$ select @extschema@.http(('POST', uri, null, 'application/x-www-form-urlencoded', @extschema@.urlencode(data))::@extschema@.http_request) $$;
create function http_put(uri varchar, content varchar, content_type varchar) returns http_response language sql as
  $$ select @extschema@.http(('PUT', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_patch(uri varchar, content varchar, content_type varchar) returns http_response language sql as
  $$ select @extschema@.http(('PATCH', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_delete(uri varchar) returns http_response language sql as
  $$ select @extschema@.http(('DELETE', uri, null, null, null)::@extschema@.http_request) $$;
create function http_delete(uri varchar, content varchar, content_type varchar) returns http_response language sql as
  $$ select @extschema@.http(('DELETE', uri, null, content_type, content)::@extschema@.http_request) $$;
create function http_head(uri varchar) returns http_response language sql as
  $$ select @extschema@.http(('HEAD', uri, null, null, null)::@extschema@.http_request) $$;
create function http_set_curlopt(curlopt varchar, value varchar) returns boolean language sql as $$ select true $$;
create function http_reset_curlopt() returns boolean language sql as $$ select true $$;
create function http_list_curlopt() returns table (curlopt text, value text) language sql as $$ select null::text, null::text where false $$;
