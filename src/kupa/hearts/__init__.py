"""Hearts under every rulebook: the rules, and the engine around them."""
