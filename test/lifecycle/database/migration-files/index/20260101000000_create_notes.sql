create table if not exists notes (body text);
