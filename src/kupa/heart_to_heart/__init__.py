"""Heart to Heart: a patience with fifty-two hearts, four of each rank."""
