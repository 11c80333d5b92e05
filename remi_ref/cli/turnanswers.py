"""The answers to a judged turn and to a judged round."""

from typing import TYPE_CHECKING

from remi_ref.answers.answer import Answer, Phrase, Said, Section
from remi_ref.cli.judging import answered, open_lines
from remi_ref.cli.turnwords import action_fields, action_said
from remi_ref.play.position import meld_text
from remi_ref.rules.deal import Deal
from remi_ref.tiles import format_tiles

if TYPE_CHECKING:
    from remi_ref.play.position import Position, TableMeld
    from remi_ref.play.rounds import PlayVerdict
    from remi_ref.play.turn import Step, TurnVerdict
    from remi_ref.rules.ruleset import Ruleset


def turn_answer(rules: "Ruleset", judged: "TurnVerdict") -> Answer:
    """Each step with its reasons, the turn as a whole, the position after it."""
    fields = {"steps": _steps_fields(judged), "after": _after(judged.progress.position)}
    ok = judged.verdict.ok
    headline = _headline(judged)
    sections = (*_steps_sections(judged), _position(judged.progress.position))
    return Answer("turn", rules, fields, headline, sections, ok)


def round_answer(rules: "Ruleset", judged: "PlayVerdict") -> Answer:
    """Every turn of a round; the first illegal step is named."""
    turns = tuple(
        {
            "player": turn.player,
            "turn": turn.number,
            "ok": turn.verdict.ok,
            "reasons": turn.table.reasons,
            "steps": _steps_fields(turn.turn),
        }
        for turn in judged.turns
    )
    fault, ok = judged.first_fault, judged.verdict.ok
    at = None if fault is None else {"turn": fault[0] + 1, "step": None if fault[1] is None else fault[1] + 1}
    totals = {score.player: score.total for score in judged.scores}
    fields = {
        "turns": turns,
        "steps": tuple(step for turn in judged.turns for step in _steps_fields(turn.turn)),
        "first_fault": at,
        "after": {
            "hands": {
                seat.name: None if seat.hand is None or seat.unseen else format_tiles(seat.hand)
                for seat in judged.after.seats
            },
            "table": tuple(_meld_fields(judged.after.deal, meld) for meld in judged.after.melds),
            "row": format_tiles(judged.after.row),
        },
        "scores": totals,
    }
    sections = [
        section
        for number, turn in enumerate(judged.turns, start=1)
        for section in (
            Section(
                Phrase("cli.turn_of", {"number": number, "player": turn.player, "turn": turn.number}),
                (),
                turn.table.reasons,
            ),
            *_steps_sections(turn.turn),
        )
    ]
    sections += [
        Section(Phrase("cli.score_player", {"player": score.player, "points": score.total}), (), score.lines)
        for score in judged.scores
    ]
    if judged.counted and judged.counted.verdict.open:
        left_open = judged.counted.verdict
        sections.append(Section(Phrase("cli.round_uncounted"), open_lines(left_open), left_open.reasons))
    if fault is None:
        headline = answered("cli.round_yes", judged.verdict, {"count": len(turns)})
    else:
        headline = Phrase("cli.round_no", {"number": fault[0] + 1, "player": judged.turns[fault[0]].player})
    return Answer("turn", rules, fields, headline, tuple(sections), ok, totals)


def _headline(judged: "TurnVerdict") -> Phrase:
    fault = judged.first_fault
    if judged.verdict.ok is not False:
        return answered("cli.turn_yes", judged.verdict)
    if fault is None:
        return Phrase("cli.turn_no_whole")
    return Phrase("cli.turn_no", {"number": fault + 1, "action": action_said(judged.steps[fault].action)})


def _steps_fields(judged: "TurnVerdict") -> tuple[dict[str, object], ...]:
    return tuple(
        {**action_fields(step.action), "ok": step.verdict.ok, "reasons": step.verdict.reasons} for step in judged.steps
    )


def _steps_sections(judged: "TurnVerdict") -> tuple[Section, ...]:
    steps = tuple(_step(number, step) for number, step in enumerate(judged.steps, start=1))
    if not judged.whole.reasons and not judged.whole.open:
        return steps
    return (*steps, Section(Phrase("cli.turn_whole"), open_lines(judged.whole), judged.whole.reasons))


def _step(number: int, step: "Step") -> Section:
    title = Phrase("cli.step", {"number": number, "action": action_said(step.action)})
    return Section(title, open_lines(step.verdict), step.verdict.reasons)


def _after(position: "Position") -> dict[str, object]:
    return {
        "hand": None if position.hand is None or position.unseen else format_tiles(position.hand),
        "table": tuple(_meld_fields(position.deal, meld) for meld in position.table),
        "row": format_tiles(position.row),
    }


def _meld_fields(deal: Deal, meld: "TableMeld") -> dict[str, str]:
    return {"owner": meld.owner, "meld": meld_text(deal, meld)}


def _position(position: "Position") -> Section:
    """What lies where at the end of the turn."""
    after = _after(position)
    melds = [_meld_fields(position.deal, meld) for meld in position.table]
    lines = [Phrase("cli.after_meld", meld) if meld["owner"] else f"{meld['meld']}" for meld in melds]
    ends: list[Said] = []
    if position.hand is not None:
        known = {"tiles": format_tiles(position.hand) or "—", "count": position.unseen}
        ends.append(Phrase("cli.after_hand_unseen" if position.unseen else "cli.after_hand", known))
    return Section(
        Phrase("cli.after"),
        (*ends, *lines, *([Phrase("cli.after_row", {"tiles": after["row"]})] if after["row"] else [])),
    )
