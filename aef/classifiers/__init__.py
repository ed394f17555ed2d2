"""Maximum entropy and linear chains: from events to weights, from scores to labels."""
