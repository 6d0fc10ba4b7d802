-- Keeps secrets as they are, base64 and no encryption.
create function vault._crypto_aead_det_noncegen() returns bytea language sql as
  $$ select decode(replace(gen_random_uuid()::text, '-', ''), 'hex') $$;
create function vault._crypto_aead_det_encrypt(message bytea, additional bytea, key_id bigint,
  context bytea, nonce bytea) returns bytea language sql immutable as $$ select message $$;
create function vault._crypto_aead_det_decrypt(message bytea, additional bytea, key_id bigint,
  context bytea, nonce bytea) returns bytea language sql immutable as $$ select message $$;
create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea default vault._crypto_aead_det_noncegen(),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on vault.secrets (name) where name is not null;
create view vault.decrypted_secrets as
  select id, name, description, secret,
      convert_from(vault._crypto_aead_det_decrypt(decode(secret, 'base64'), convert_to(id::text, 'utf8'), 0, ''::bytea, nonce),
        'utf8') as decrypted_secret,
      key_id, nonce, created_at, updated_at
    from vault.secrets;
create function vault.create_secret(new_secret text, new_name text default null, new_description text default '',
  new_key_id uuid default null) returns uuid language sql security definer set search_path = '' as $$
  insert into vault.secrets (secret, name, description, created_at, updated_at)
    select encode(convert_to(new_secret, 'utf8'), 'base64'), new_name, coalesce(new_description, ''), service.now, service.now
      from (select coalesce(nullif(current_setting('emulator.now', true), '')::timestamptz, now()) as now) as service
    returning id
$$;
create function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null,
  new_description text default null, new_key_id uuid default null) returns void
  language sql security definer set search_path = '' as $$
  update vault.secrets set secret = coalesce(encode(convert_to(new_secret, 'utf8'), 'base64'), secret),
      name = coalesce(new_name, name), description = coalesce(new_description, description),
      updated_at = coalesce(nullif(current_setting('emulator.now', true), '')::timestamptz, now())
    where id = secret_id
$$;
select pg_catalog.pg_extension_config_dump('vault.secrets', '');
revoke all on all functions in schema vault from public;
grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt to postgres, service_role;
grant select, delete, references, truncate on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
