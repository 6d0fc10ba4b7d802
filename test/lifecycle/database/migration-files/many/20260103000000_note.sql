insert into notes (body) values ('note 3');
