insert into notes (body) values ('first');
