-- Answers every query with an error document.
create function graphql.resolve(query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null)
  returns jsonb language sql stable as
  $$ select jsonb_build_object('data', null, 'errors', jsonb_build_array(jsonb_build_object('message', 'The emulator runs no GraphQL.'))) $$;
