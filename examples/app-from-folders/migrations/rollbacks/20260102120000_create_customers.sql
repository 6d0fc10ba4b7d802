alter table orders drop column customer_id;
drop table customers;
