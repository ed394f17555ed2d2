"""Rulings that wait for their turn: the queue, its database, the workers and what is told of them."""
