create index concurrently notes_body on notes (body);
