"""A bot for Hearts: a program that takes a seat, by the protocol in protocol.md. Python alone is enough."""

import json
import sys

ORDER = "23456789TJQKA"


def rank(card):
    """Return how high a card is."""
    return ORDER.index(card[0])


def danger(card):
    """Return how gladly a card is given away: the queen of spades first, then hearts, then high cards."""
    return (card == "QS", card[1] == "H", rank(card))


class Bot:
    """What the program knows in a match: its hand, and the cards of the trick on the table."""

    def __init__(self):
        self.seat, self.hand, self.trick = None, [], []

    def told(self, message):
        """Take in what happened."""
        kind = message["type"]
        if kind == "deal":
            self.hand, self.trick = message["hand"], []
        elif kind == "passed":
            self.hand = [card for card in self.hand if card not in message["cards"]]
        elif kind == "received":
            self.hand = self.hand + message["cards"]
        elif kind == "played":
            self.trick.append(message["card"])
        elif kind == "trick":
            self.trick = []

    def cards_to_pass(self, count):
        """Pass the queen of spades, what catches her, and the highest cards."""
        worst = sorted(self.hand, key=lambda card: (card in ("QS", "KS", "AS"), rank(card)), reverse=True)
        return worst[:count]

    def card_to_play(self, legal):
        """Lead low; follow with the highest card that stays under, else the lowest; discard what is worst."""
        if not self.trick:
            return min(legal, key=rank)
        led = self.trick[0][1]
        if legal[0][1] != led:
            return max(legal, key=danger)
        best = max(rank(card) for card in self.trick if card[1] == led)
        under = [card for card in legal if rank(card) < best]
        return max(under, key=rank) if under else min(legal, key=rank)


def main():
    """Answer every question until the host closes the input."""
    bot = Bot()
    for line in sys.stdin:
        message = json.loads(line)
        kind, answer = message["type"], None
        if kind == "hello":
            bot.seat = message["seat"]
            answer = {"type": "ready", "name": "example"}
        elif kind == "choose_pass":
            answer = {"id": message["id"], "cards": bot.cards_to_pass(message["count"])}
        elif kind == "choose_play":
            answer = {"id": message["id"], "card": bot.card_to_play(message["legal"])}
        elif kind == "choose_moon":
            answer = {"id": message["id"], "choice": "add"}
        else:
            bot.told(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
