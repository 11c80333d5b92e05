"""Actions in words for people, and as fields for scripts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remi_ref.answers.answer import Phrase, Said, Section
from remi_ref.play import actions
from remi_ref.play.movetext import action_text
from remi_ref.tiles import format_melds, format_tiles

if TYPE_CHECKING:
    from remi_ref.play.legal import Taking


def action_fields(action: actions.Action) -> dict[str, object]:
    """An action as scripts read it."""
    return {"action": actions.NAMES[type(action)], "text": action_text(action)}


def action_said(action: actions.Action) -> Phrase:  # noqa: PLR0911 - one line for each kind of action
    """An action in words: its own sentence, with what it is done to."""
    match action:
        case actions.Draw(piece):
            return Phrase("action.draw_known", {"tile": piece}) if piece else Phrase("action.draw")
        case actions.Add(tile, meld):
            return Phrase("action.add", {"tile": tile, "meld": format_tiles(meld)})
        case actions.Swap(tile, meld):
            return Phrase("action.swap", {"tile": tile, "meld": format_tiles(meld)})
        case actions.Lay(melds):
            return Phrase("action.lay", {"melds": format_melds(melds)})
        case actions.Announce(what):
            return Phrase(f"action.announce_{what}")
        case actions.Button():
            return Phrase("action.button")
        case _:
            return Phrase(f"action.{actions.NAMES[type(action)].replace('-', '_')}", {"tile": action.tile})


def taking_fields(taking: "Taking") -> dict[str, object]:
    """A taking with the use that makes it worth while."""
    first, use = (None if action is None else action_fields(action) for action in (taking.first, taking.use))
    return {**action_fields(taking.take), "along": taking.along, "first": first, "use": use}


def taking_said(taking: "Taking") -> Phrase:
    """The same in words."""
    said = action_said(taking.take)
    if taking.along:
        said = Phrase("cli.taking_along", {"take": said, "along": format_tiles(taking.along)})
    if taking.use is not None:
        if taking.first is not None:
            said = Phrase("cli.taking_use", {"take": said, "use": action_said(taking.first)})
        said = Phrase("cli.taking_use", {"take": said, "use": action_said(taking.use)})
    return said


def options_section(name: str, lines: Sequence[Said]) -> Section:
    """One kind of thing that may still be done."""
    return Section(Phrase(f"cli.legal_{name}"), tuple(lines))
