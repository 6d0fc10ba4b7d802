insert into notes (body) values ('note 4');
