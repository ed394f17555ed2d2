"""What the operator of the service does with it: looks at its settings before it starts, keeps it, renews its keys."""
