-- Declares keys; nothing is encrypted.
create type key_status as enum ('default', 'valid', 'invalid', 'expired');
create type key_type as enum ('aead-ietf', 'aead-det', 'hmacsha512', 'hmacsha256', 'auth', 'shorthash', 'generichash', 'kdf', 'secretbox',
  'secretstream', 'stream_xchacha20');
create sequence key_key_id_seq;
create table key (
  id uuid primary key default gen_random_uuid(),
  status key_status default 'valid',
  created timestamptz not null default current_timestamp,
  expires timestamptz,
  key_type key_type,
  key_id bigint default nextval('key_key_id_seq'),
  key_context bytea default '\x6372797074657874',
  name text unique,
  associated_data text default 'associated',
  raw_key bytea,
  raw_key_nonce bytea,
  parent_key uuid references key (id),
  comment text,
  user_data text
);
create view valid_key as
  select id, name, status, key_type, key_id, key_context, created, expires, associated_data from key
    where status in ('valid', 'default') and (expires is null or expires > now());
create function create_key(key_type key_type default 'aead-det', name text default null, raw_key bytea default null,
  raw_key_nonce bytea default null, parent_key uuid default null, key_context bytea default '\x6372797074657874',
  expires timestamptz default null, associated_data text default '') returns valid_key language plpgsql as $$
declare
  made @extschema@.valid_key;
begin
  insert into @extschema@.key (key_type, name, raw_key, raw_key_nonce, parent_key, key_context, expires, associated_data)
    values (key_type, name, raw_key, raw_key_nonce, parent_key, key_context, expires, associated_data) returning key.id into made.id;
  select * into made from @extschema@.valid_key v where v.id = made.id;
  return made;
end $$;
grant select, insert, update, delete on key, valid_key to postgres;
grant usage on sequence key_key_id_seq to postgres;
create function crypto_aead_det_noncegen() returns bytea language sql as
  $$ select decode(replace(gen_random_uuid()::text, '-', ''), 'hex') $$;
create function crypto_aead_det_encrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea
  language sql immutable as $$ select message $$;
create function crypto_aead_det_decrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea
  language sql immutable as $$ select message $$;
create function crypto_aead_det_encrypt(message bytea, additional bytea, key_id bigint, context bytea default '\x6372797074657874',
  nonce bytea default null) returns bytea language sql immutable as $$ select message $$;
create function crypto_aead_det_decrypt(message bytea, additional bytea, key_id bigint, context bytea default '\x6372797074657874',
  nonce bytea default null) returns bytea language sql immutable as $$ select message $$;
create function randombytes_random() returns integer language sql as $$ select (random() * 2147483647)::integer $$;
