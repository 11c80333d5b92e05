"""Is this a run, a set, a pair? Every way to read it, every condition that was tested, and what it is worth.

A reading gives each joker the tile it plays as. The order in which the tiles were laid decides where it can; where it
cannot, all readings that the rules allow are kept, and whoever asks sees whether they matter.
"""

from remi_ref.melds.growing import joker_for, with_joker_given, with_tile
from remi_ref.melds.judging import false_joker_note, judge_meld
from remi_ref.melds.meld import PAIR, Formation, Kind, Meld, stands_in
from remi_ref.melds.reading import all_melds, read_meld, runs_in_any_order
from remi_ref.melds.values import (
    ace_place,
    hand_value,
    joker_value,
    opening_points,
    slot_points,
    table_points,
    tile_value,
    value_notes,
)
from remi_ref.melds.windows import HIGH_ACE

__all__ = [
    "HIGH_ACE",
    "PAIR",
    "Formation",
    "Kind",
    "Meld",
    "ace_place",
    "all_melds",
    "false_joker_note",
    "hand_value",
    "joker_for",
    "joker_value",
    "judge_meld",
    "opening_points",
    "read_meld",
    "runs_in_any_order",
    "slot_points",
    "stands_in",
    "table_points",
    "tile_value",
    "value_notes",
    "with_joker_given",
    "with_tile",
]
