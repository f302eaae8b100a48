"""The arena: bots against each other on the same deals, with what can be said of the difference."""
