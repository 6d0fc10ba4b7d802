delete from notes where body = 'first';
