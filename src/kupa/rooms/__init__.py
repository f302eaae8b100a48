"""Rooms: a company of people, where they sit, and the matches that they play one after the other.

Pure, as the games are: commands become events or a refusal, events become a state, and a view is what one
person may know. Who somebody is, what they are called, and who is connected are the server's business.
"""
