"""The referee: the rules of both games, driven by any program over a protocol of lines (docs/protocol.md)."""
