create index if not exists orders_placed_at on orders (placed_at);
