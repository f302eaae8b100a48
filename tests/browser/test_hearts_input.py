"""What a person does at the table of Hearts, by pointer and by keys, and what the page answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kupa.cards import TEXT
from kupa.catalogue import text
from kupa.hearts.game import HEARTS
from kupa.hearts.state import State
from tests.browser.conftest import NewPage
from tests.browser.hearts_table import LATER, MOON_HANDS, HeartsTable, Written, by_strength
from tests.server.process import Server

pytestmark = pytest.mark.browser

OPENING_HANDS = (MOON_HANDS[1], MOON_HANDS[0], *MOON_HANDS[2:])
"""Hands of which seat 0 has the lowest club."""


def new_match(server: Server, seed: str) -> str:
    """A match of Cardems that has just been dealt; returns its id."""
    return server.new(game="hearts", rules="cardems", seed=seed)


def test_cards_to_pass_go_into_slots_and_can_be_taken_back(server: Server, new_page: NewPage) -> None:
    """A tap moves a card into a slot, another takes it back into its gap; the button gives what is there."""
    table = HeartsTable(new_page("phone"), server).open(new_match(server, "pass"))
    dealt = table.hand()
    expect(table.page.locator(".pass .who")).to_have_text("Deniz")
    expect(table.page.locator(".pass .to .pts")).to_have_text("Soldaki oyuncuya")
    button = table.page.locator(".pass > .btn")
    expect(button).to_have_text("Üç kart daha seç")
    for card in dealt[:3]:
        table.click(card)
    assert table.slots() == dealt[:3]
    assert table.hand() == dealt[3:]
    expect(button).to_have_text("Üç kartı ver")
    table.click(dealt[5])
    assert table.slots() == dealt[:3], "a fourth card finds no slot"
    expect(table.page.locator(".pass .count")).to_have_text("Önce seçtiğin kartlardan birini geri al.")
    table.page.locator(".slots .card").nth(1).click()
    assert table.slots() == [dealt[0], dealt[2]]
    assert table.hand() == [dealt[1], *dealt[3:]]
    expect(button).to_have_text("Bir kart daha seç")
    button.click(force=True)
    assert table.view()["my_pass"] is None
    table.click(dealt[12])
    button.click()
    expect(table.root).to_have_attribute("data-stage", "play")
    table.rest()
    view = table.view()
    assert view["my_pass"] == {"cards": sorted([dealt[0], dealt[2], dealt[12]], key=dealt.index), "to": 1}
    received = view["received"]["cards"]
    assert set(received) <= set(table.hand())
    assert text("tr", f"card.{received[0]}") in table.said()


def test_received_cards_are_held_up_and_their_giver_named(server: Server, new_page: NewPage) -> None:
    """After the pass the status names the giver and the three cards stand out of the hand for a while."""
    table = HeartsTable(new_page(reduced_motion="no-preference"), server)
    table.open(new_match(server, "pass"))
    for card in table.hand()[:3]:
        table.click(card)
    table.page.locator(".pass .btn.primary").click()
    expect(table.status).to_contain_text("3 kart aldın")
    expect(table.status).to_contain_text("Kerem, sağda")
    held = table.page.locator(".hand .card.got").evaluate_all("all => all.map((card) => card.dataset.card)")
    assert held == table.view()["received"]["cards"]
    expect(table.page.locator(".side .passed .cards").nth(1).locator(".card")).to_have_count(3)
    table.rest()
    expect(table.page.locator(".hand .card.got")).to_have_count(0)


def must_follow_with(state: State) -> list[str]:
    """The cards of seat 0 that are of the suit led."""
    suit = TEXT[state.trick[0]][1]
    return [card for card in HEARTS.view(state, 0).hand if card[1] == suit]


@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_refused_card_shakes_and_the_status_says_which_rule(
    server: Server, new_page: NewPage, language: str
) -> None:
    """The sentence is the server's; the card stays, and a legal one is then played as ever."""
    written = Written("klasik").until(
        lambda state: state.turn == 0 and len(state.trick) == 3 and 0 < len(must_follow_with(state)) < 5
    )
    table = HeartsTable(new_page("phone", language), server).open(written.stored(server))
    barred = next(card for card in table.hand() if card not in table.playable())
    expect(table.card(barred)).to_have_attribute("aria-disabled", "true")
    suit = table.view()["trick"][0]["card"][1]
    table.click(barred)
    expect(table.card(barred)).to_have_class("card no refused")
    sentence = text(language, f"refusal.must_follow_suit.{suit}")
    expect(table.status).to_contain_text(sentence)
    assert sentence in table.said()
    assert barred in table.hand()
    legal = table.playable()[0]
    table.play(legal)
    assert legal not in table.hand()


def test_a_refusal_names_cards_as_the_page_does(server: Server, new_page: NewPage) -> None:
    """Who opens a round with another card than the lowest club is told the card by its name."""
    written = Written("cardems", pass_count=0, hands=OPENING_HANDS).until(lambda state: state.turn == 0)
    table = HeartsTable(new_page(), server).open(written.stored(server))
    assert table.playable() == ["2C"]
    expect(table.status).to_contain_text("Açılış kartı: sinek ikilisi")
    table.click("5H")
    expect(table.status).to_contain_text("sinek ikilisi")
    expect(table.status).not_to_contain_text("Açılış kartı")
    expect(table.status).not_to_contain_text("2C")


def test_a_card_clicked_while_the_trick_still_lies_is_played_next(server: Server, new_page: NewPage) -> None:
    """Nobody has to wait for motion: what is clicked meanwhile is done, in the order clicked."""
    page = new_page(reduced_motion="no-preference")
    written = Written("klasik", pass_count=0, hands=MOON_HANDS).until(
        lambda state: state.turn == 0 and not state.trick and len(state.tricks) == 1, by_strength
    )
    table = HeartsTable(page, server).open(written.stored(server))
    table.click("KC")
    expect(page.locator(".laid .tag")).to_have_text("aldı")
    table.click("AS")
    table.click("KS")
    page.wait_for_function("() => document.querySelectorAll('.hand .card:not(.gone)').length === 9")
    table.rest()
    assert [trick["winner"] for trick in table.view()["tricks"]][:2] == [0, 0]
    assert not {"KC", "AS", "KS"} & set(table.view()["hand"])


def test_of_two_equal_cards_one_is_played(server: Server, new_page: NewPage) -> None:
    """With two packs a hand may hold a card twice; a click plays one, and the other stays."""
    written = Written("cancellation", 6, seed="twins").until(
        lambda state: (
            state.turn == 0
            and any(HEARTS.view(state, 0).hand.count(card) == 2 for card in HEARTS.view(state, 0).legal)
        )
    )
    table = HeartsTable(new_page("phone"), server).open(written.stored(server))
    twin = next(card for card in table.playable() if table.hand().count(card) == 2)
    before = table.hand()
    table.play(twin)
    before.remove(twin)
    assert table.hand() == before == table.view()["hand"]


def test_a_double_click_plays_one_card(server: Server, new_page: NewPage) -> None:
    """The second click of a double click meets the card that lay under the first, and must not play it."""
    written = Written("klasik", pass_count=0, hands=MOON_HANDS).until(
        lambda state: state.turn == 0 and not state.trick and len(state.tricks) == 1, by_strength
    )
    table = HeartsTable(new_page(), server).open(written.stored(server))
    held = table.hand()
    table.page.mouse.dblclick(*table.point_of("KS"))
    table.page.wait_for_function("() => document.querySelectorAll('.hand .card:not(.gone)').length < 12")
    table.rest()
    table.page.wait_for_timeout(1200)
    assert [card for card in held if card not in table.view()["hand"]] == ["KS"]


def test_the_shooter_of_the_moon_chooses_with_both_totals_before_their_eyes(
    server: Server, new_page: NewPage
) -> None:
    """Nothing is chosen at first; each choice shows its totals and what follows; a second press writes it."""
    written = Written("parlour", pass_count=0, hands=MOON_HANDS, totals=(34, 42, 27, 79))
    written.until(lambda state: state.phase == "moon", by_strength)
    table = HeartsTable(new_page("phone"), server).open(written.stored(server))
    assert table.stage == "moon"
    choices = table.page.get_by_role("radio")
    expect(choices).to_have_count(2)
    expect(table.page.locator('[role=radio][aria-checked="true"]')).to_have_count(0)
    expect(choices.nth(0)).to_contain_text("Benden 26 düş")
    expect(choices.nth(0)).to_contain_text("Maç sürer, 8 puanla öndesin.")
    assert choices.nth(1).locator(".cell b").all_inner_texts() == ["34", "68", "53", "105"]
    expect(choices.nth(1)).to_contain_text("maç biter: kazanırsın")
    write = table.page.locator(".shoot .write")
    expect(write).to_have_text("Birini seç")
    choices.nth(0).click()
    expect(choices.nth(0)).to_have_attribute("aria-checked", "true")
    table.page.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_have_attribute("aria-checked", "true")
    expect(write).to_have_text("Onayla")
    write.click()
    expect(table.root).to_have_attribute("data-stage", "over")
    assert table.view()["totals"] == [34, 68, 53, 105]
    expect(table.page.locator("#end-stage h2")).to_have_text("Kazandın")


def test_tricks_are_played_with_keys_alone(server: Server, new_page: NewPage) -> None:
    """Cards are passed and played, the last trick, the sheet and the menu are opened, without a pointer."""
    page = new_page()
    table = HeartsTable(page, server).open(new_match(server, "keys"))
    focused = "document.activeElement?.dataset.card ?? ''"
    keys = page.keyboard
    keys.press("ArrowRight")
    assert page.evaluate(focused) == table.hand()[0]
    for _ in range(3):
        keys.press("Enter")
    assert len(table.slots()) == 3
    assert page.evaluate(focused) == table.hand()[0], "the keyboard goes on to the next card"
    while page.evaluate("document.activeElement?.textContent") != "Üç kartı ver":
        keys.press("Shift+Tab")
    keys.press("Enter")
    expect(table.root).not_to_have_attribute("data-stage", "pass")
    table.rest()
    for _ in range(3):
        before = table.seq
        wanted = table.playable()[-1]
        keys.press("Escape")
        page.evaluate("document.activeElement?.blur?.()")
        keys.press("ArrowRight")
        for _ in range(14):
            if page.evaluate(focused) == wanted:
                break
            keys.press("ArrowRight")
        keys.press("Space")
        page.wait_for_function(LATER, arg=before)
        table.rest()
        assert wanted not in table.hand()
        assert page.evaluate(focused) in table.hand(), "the keyboard stays in the hand"
    keys.press("l")
    expect(table.status).to_contain_text("Önceki el")
    assert table.on_table() == cards_by_place(table.view()["last_trick"]["cards"])
    keys.press("Escape")
    assert table.on_table() == cards_by_place(table.view()["trick"])
    keys.press("s")
    expect(page.locator("#scores")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#scores")).to_be_hidden()
    keys.press("m")
    expect(page.locator("#menu")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    assert page.evaluate(focused) in table.hand()


def cards_by_place(cards: list[dict[str, int | str]]) -> list[str]:
    return [str(played["card"]) for played in sorted(cards, key=lambda played: int(played["seat"]))]


def test_a_choice_half_made_survives_what_happens_meanwhile(server: Server, new_page: NewPage) -> None:
    """Cards chosen to be passed, and the keyboard's place, are still there when the view comes again."""
    page = new_page()
    table = HeartsTable(page, server).open(new_match(server, "half"))
    dealt = table.hand()
    table.click(dealt[2])
    table.click(dealt[7])
    page.keyboard.press("Home")
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(table.root).to_have_attribute("data-connection", "lost")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(table.root).to_have_attribute("data-connection", "open")
    assert table.slots() == [dealt[2], dealt[7]]
    assert page.evaluate("document.activeElement.dataset.card") == dealt[0]


def test_what_happens_is_read_out_in_the_language_of_the_page(server: Server, new_page: NewPage) -> None:
    """Each card, who took the trick and whose turn it is are said politely, cards by their names."""
    written = Written("klasik").until(lambda state: state.turn == 0 and len(state.trick) == 2)
    table = HeartsTable(new_page(language="en"), server).open(written.stored(server))
    expect(table.page.locator("#announcements")).to_have_attribute("aria-live", "polite")
    card = table.playable()[0]
    table.play(card)
    trick = table.view()["last_trick"]
    names = ["You", "Deniz", "Elif", "Kerem"]
    last = trick["cards"][-1]
    assert f"You: {text('en', f'card.{card}')}." in table.said()
    assert f"{names[last['seat']]}: {text('en', 'card.' + last['card'])}." in table.said()
    assert f"{names[trick['winner']]} took the trick" in table.said()
    assert "Your turn." in table.said()


def test_the_previous_trick_is_unmistakable_and_goes_by_itself(server: Server, new_page: NewPage) -> None:
    """While it is looked back at nobody is on turn and the status names it; a tap anywhere else goes back."""
    match = Written("klasik").until(lambda state: state.turn == 0 and len(state.tricks) == 2).stored(server)
    table = HeartsTable(new_page(), server).open(match)
    button = table.page.locator("#last-trick")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(table.status.locator("b")).to_have_text("Önceki el")
    expect(table.root).to_have_attribute("data-looking-back", "")
    expect(table.page.locator(".seat .flag")).to_have_count(0)
    table.page.locator(".bar h1").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(table.root).not_to_have_attribute("data-looking-back", "")
    expect(table.status.locator("b")).to_have_text("Sıra sende")
    button.click()
    button.click()
    expect(table.status.locator("b")).to_have_text("Sıra sende")
    button.click()
    table.play(table.playable()[0])
    expect(table.root).not_to_have_attribute("data-looking-back", "")


def test_the_menu_tells_the_house_rules_of_the_table(server: Server, new_page: NewPage) -> None:
    """Each field that is not the rulebook's own stands there in words, under the book's own name."""
    written = Written("klasik", broken_by="heart_or_queen", bonus_card="JD")
    match = written.until(lambda state: state.turn == 0).stored(server)
    table = HeartsTable(new_page(language="en"), server).open(match)
    expect(table.page.locator("h1 small")).to_contain_text("Classic, house rules")
    table.page.locator("#open-menu").click()
    told = table.page.locator("#menu .house div")
    expect(told).to_have_count(2)
    expect(told.filter(has_text="Bonus card")).to_contain_text("Jack of diamonds")
    expect(told.filter(has_text="What breaks hearts")).to_contain_text("queen of spades")
