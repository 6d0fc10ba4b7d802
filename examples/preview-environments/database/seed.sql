insert into orders default values;
