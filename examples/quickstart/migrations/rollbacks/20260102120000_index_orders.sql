drop index if exists orders_placed_at;
