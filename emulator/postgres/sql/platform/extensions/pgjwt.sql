-- JSON web tokens by the HMAC of pgcrypto.
create function url_encode(data bytea) returns text language sql immutable as
  $$ select translate(encode(data, 'base64'), E'+/=\n', '-_') $$;
create function url_decode(data text) returns bytea language sql immutable as
  $$ select decode(rpad(translate(data, '-_', '+/'), (length(data) + 3) / 4 * 4, '='), 'base64') $$;
create function algorithm_sign(signables text, secret text, algorithm text) returns text language sql immutable as $$
  select @extschema@.url_encode(@extschema:pgcrypto@.hmac(signables, secret,
    case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end))
$$;
create function sign(payload json, secret text, algorithm text default 'HS256') returns text language sql immutable as $$
  select signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm) from (
    select @extschema@.url_encode(convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8')) || '.'
      || @extschema@.url_encode(convert_to(payload::text, 'utf8')) as signables) s
$$;
create function try_cast_double(inp text) returns double precision language plpgsql immutable as $$
begin
  return inp::double precision;
exception when others then
  return null;
end $$;
create function verify(token text, secret text, algorithm text default 'HS256') returns table (header json, payload json, valid boolean)
  language sql immutable as $$
  select j.header, j.payload, j.signed and tstzrange(to_timestamp(@extschema@.try_cast_double(j.payload ->> 'nbf')),
      to_timestamp(@extschema@.try_cast_double(j.payload ->> 'exp'))) @> current_timestamp
    from (
      select convert_from(@extschema@.url_decode(r[1]), 'utf8')::json as header, convert_from(@extschema@.url_decode(r[2]), 'utf8')::json as payload,
          r[3] = @extschema@.algorithm_sign(r[1] || '.' || r[2], secret, algorithm) as signed
        from regexp_split_to_array(token, '\.') r) j
$$;
