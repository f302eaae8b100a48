"""The laboratory: the patience Heart to Heart known to the bottom. Apart from play: no server imports it."""
