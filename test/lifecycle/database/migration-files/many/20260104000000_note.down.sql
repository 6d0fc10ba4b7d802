insert into notes (body) values ('back 4');
