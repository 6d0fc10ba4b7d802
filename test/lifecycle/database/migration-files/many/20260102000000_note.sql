insert into notes (body) values ('note 2');
