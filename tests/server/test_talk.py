"""What is said in a room: heard by whom it is for, cleaned, and not without pauses."""

from __future__ import annotations

import pytest

from tests.server.in_company import InCompany


def test_what_is_said_is_heard_by_all_but_who_has_muted_one() -> None:
    """B does not read A any more, neither now nor when B comes again; C does."""
    with InCompany("ABC") as company:
        a, b, c = company.gather()
        people = company.client.app.state.people
        assert company.call(people.mute, b.person.id, a.person.id) is None
        a.ask({"type": "say", "text": "  good \n\u202e luck\u0000  "})
        heard = c.until("said")["message"]
        assert (heard["person"], heard["kind"], heard["text"]) == (a.person.id, "say", "good luck")
        b.ask({"type": "react", "text": "bravo"})
        assert c.until("said")["message"]["text"] == "bravo"
        assert not any(
            frame["type"] == "said" and frame["message"]["person"] == a.person.id for frame in b.frames
        )
        again = b.person.at_room()
        assert [one["person"] for one in again.until("messages")["messages"]] == [b.person.id]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "say", "text": ""}, "bad_message"),
        ({"type": "say", "text": " \u200b\u202e "}, "bad_message"),
        ({"type": "say", "text": "x" * 201}, "bad_message"),
        ({"type": "react", "text": "smile"}, "bad_message"),
    ],
)
def test_what_cannot_be_said_is_refused(frame: dict[str, str], code: str) -> None:
    """With a code, and nobody hears it."""
    with InCompany("AB") as company:
        a, b = company.gather()
        assert a.ask(frame)["code"] == code
        b.room(type="stand")
        assert not any(told["type"] == "said" for told in b.frames)


def test_nobody_talks_without_a_pause() -> None:
    """Some messages within some seconds; then one has to wait."""
    with InCompany("AB") as company:
        a, _ = company.gather()
        answers = [a.ask({"type": "say", "text": f"n {number}"}) for number in range(10)]
        assert [answer["type"] for answer in answers[:6]] == ["accepted"] * 6
        assert {answer.get("code") for answer in answers[6:]} == {"too_fast"}
