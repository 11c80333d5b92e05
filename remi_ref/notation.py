"""How tiles are read: every way a table writes them, to what they are.

Reading is generous, printing (`tiles`) is not; what is printed reads back to the same value.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.tiles import ALL_TILES, TOP_NUMBER, Colour, FalseJoker, Joker, Piece, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_TILES = 212  # two whole boxes: nobody types more, and a hostile input stops here
MAX_CHARACTERS = 8_000

_AS_PRINTED = {str(tile): Slot(tile, tile) for tile in ALL_TILES}


class Spellings(dict[str, tuple[Colour, ...]]):
    """Every spelling of a colour (letter or word, lower case, no diacritics) to the colours it may mean.

    Attributes:
        known: tokens that are known to be one tile, so that thousands of racks are read quickly.
    """

    MOST_KNOWN = 2_000

    def __init__(self, table: Mapping[str, tuple[Colour, ...]]) -> None:
        super().__init__(table)
        self.known = dict(_AS_PRINTED)


_SEPARATORS = str.maketrans(",;", "  ")
_SUITS = {"♥": Colour.R, "♦": Colour.A, "♠": Colour.N, "♣": Colour.G}
_FIGURES = {"a": 1, "j": 11, "v": 11, "q": 12, "d": 12, "k": 13, "r": 13}
_JOKERS: dict[str, Piece] = {
    "j": Joker(),
    "joker": Joker(),
    "joly": Joker(),
    "jolly": Joker(),
    "w": Joker(white=True),
    "f": FalseJoker(),
}
# Patterns are text, so that what is typed as it is printed does not wait until they are compiled.
_RUN = r"(?P<colour>[^\W\d_]+)-?(?P<low>[0-9]{1,2})-(?P<high>[0-9]{1,2})"
_SET = r"(?P<number>[0-9]{1,2}):(?P<colours>[^\W\d_]+)"
_COLOUR_FIRST = r"(?P<colour>[^\W\d_]+)-?(?P<number>[0-9]{1,3})"
_NUMBER_FIRST = r"(?P<number>[0-9]{1,3})-?(?P<colour>[^\W\d_]+)"
_WITHOUT_SPACES = r"([^\W\d_]+(1[0-3]|[1-9])){2,}"
_TWO_ENDS = r"(?P<colour>[^\W\d_]+)-?(?P<from>[0-9]{1,2})-(?P<other>[^\W\d_]+)-?(?P<to>[0-9]{1,2})"
_JOKER_SIGNS = "*★☆🃏"
_SUITED = r"(?P<suit>[♥♦♠♣])(?P<first>\w{1,2})|(?P<second>\w{1,2})(?P<suit2>[♥♦♠♣])"


def _folded(text: str) -> str:
    """Lower case without diacritics; a dash of any length is the short one, as phones lengthen it."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    kept = (c for c in decomposed if not unicodedata.combining(c) and c != "\ufe0f")
    return "".join("-" if unicodedata.category(c) == "Pd" else c for c in kept)


def _seen(text: str) -> str:
    """Without the marks that no eye sees, and that a phone or a spreadsheet copies along."""
    return text if text.isascii() else "".join(c for c in text if unicodedata.category(c) != "Cf")


def means_another(word: str, colour: Colour) -> bool:
    """Whether a spelling of a colour is the canonical letter of another one, or a joker's."""
    folded = _folded(word)
    return folded in _JOKERS or any(folded == other.lower() for other in Colour if other != colour)


def spellings_of(colours: Mapping[Colour, Iterable[str]]) -> Spellings:
    """Turns each colour's list of letters and words into a lookup; a spelling under two colours keeps both.

    The canonical letters always mean their own colour, or what is printed could not be read back.
    """
    table: dict[str, set[Colour]] = {}
    for colour, words in colours.items():
        for word in words:
            table.setdefault(_folded(word), set()).add(colour)
    for colour in Colour:
        table[colour.value.lower()] = {colour}
    return Spellings({word: tuple(sorted(found)) for word, found in table.items()})


DEFAULT_SPELLINGS = spellings_of(
    {
        Colour.R: ("R", "roșu", "roșie", "red"),
        Colour.A: ("A", "B", "albastru", "albastră", "blue"),
        Colour.N: ("N", "K", "negru", "neagră", "black"),
        Colour.G: ("G", "Y", "O", "P", "galben", "galbenă", "yellow", "portocaliu", "portocalie", "orange"),
    }
)


def parse_tiles(text: str, spellings: Spellings = DEFAULT_SPELLINGS) -> tuple[Slot, ...]:
    """Reads tiles separated by spaces or commas.

    Raises:
        Unreadable: a token is no tile; names the token, its place and the nearest spelling.
    """
    if len(text) > MAX_CHARACTERS:
        raise Unreadable("tiles.too_long", length=len(text), most=MAX_CHARACTERS)
    text = _seen(text)
    slots: list[Slot] = []
    known, tokens = spellings.known, text.translate(_SEPARATORS).split()
    for place, token in enumerate(tokens, start=1):
        if slot := known.get(token):
            slots.append(slot)
            continue
        try:
            read = _read_token(token, place, spellings)
        except Unreadable as fault:
            raise _torn(fault, tokens, place, spellings) from None
        if len(read) == 1 and len(known) < spellings.MOST_KNOWN:
            known[token] = read[0]
        slots += read
    if len(slots) > MAX_TILES:
        raise Unreadable("tiles.too_many", count=len(slots), most=MAX_TILES)
    return tuple(slots)


def parse_loose(text: str, spellings: Spellings = DEFAULT_SPELLINGS) -> tuple[Slot, ...]:
    """Reads loose tiles; bars between them, as a photo of a rack has them at its gaps, are overlooked.

    Raises:
        Unreadable: as `parse_tiles`.
    """
    return parse_tiles(text.replace("|", " "), spellings)


def parse_melds(text: str, spellings: Spellings = DEFAULT_SPELLINGS) -> tuple[tuple[Slot, ...], ...]:
    """Reads melds separated by ``|``; an empty one is refused.

    Raises:
        Unreadable: as `parse_tiles`, or a meld has no tiles.
    """
    melds = tuple(parse_tiles(part, spellings) for part in text.split("|"))
    if not any(melds) and "|" not in text:
        raise Unreadable("tiles.none")
    if not all(melds):
        raise Unreadable("tiles.empty_meld", text=text.strip())
    return melds


def parse_tile(text: str, spellings: Spellings = DEFAULT_SPELLINGS) -> Slot:
    """Reads exactly one tile.

    Raises:
        Unreadable: the text is not exactly one tile.
    """
    slots = parse_loose(text, spellings)
    if len(slots) != 1:
        raise Unreadable("tiles.one_wanted", text=text.strip(), count=len(slots))
    return parse_tiles(text, spellings)[0]  # a bar beside the tile is refused


def parse_piece(text: str, spellings: Spellings = DEFAULT_SPELLINGS) -> Piece:
    """Reads exactly one tile that stands for nothing but itself, as a turned one does.

    Raises:
        Unreadable: as `parse_tile`, or a numbered tile is declared to be another.
    """
    slot = parse_tile(text, spellings)
    if isinstance(slot.piece, Tile) and slot.plays_as != slot.piece:
        raise Unreadable("deal.no_joker", tile=str(slot.piece), declared=str(slot))
    return slot.piece


def _read_token(token: str, place: int, spellings: Spellings) -> list[Slot]:
    folded = _folded(token)
    if "=" in folded:
        return [_declared(token, place, spellings)]
    if folded in _JOKERS:
        return [Slot(_JOKERS[folded])]
    if run := re.fullmatch(_RUN, folded):
        low, high = _number(run["low"], token, place), _number(run["high"], token, place)
        if low >= high:
            raise Unreadable("tiles.run_falls", token=token, place=place)
        colour = _colour(run["colour"], token, place, spellings)
        return [_natural(Tile(colour, number)) for number in range(low, high + 1)]
    if group := re.fullmatch(_SET, folded):
        number = _number(group["number"], token, place)
        return [_natural(Tile(_colour(letter, token, place, spellings), number)) for letter in group["colours"]]
    if (ends := re.fullmatch(_TWO_ENDS, folded)) and _two_colours(ends, spellings):
        raise Unreadable("tiles.run_colours", token=token, place=place)
    return [_natural(_read_tile(folded, token, place, spellings))]


def _two_colours(ends: re.Match[str], spellings: Spellings) -> bool:
    one, other = spellings.get(ends["colour"], ()), spellings.get(ends["other"], ())
    return bool(one and other) and one != other


def _natural(tile: Tile) -> Slot:
    return Slot(tile, tile)


def _declared(token: str, place: int, spellings: Spellings) -> Slot:
    left, _, right = token.partition("=")
    folded = _folded(left)
    stands_for = _read_tile(_folded(right), token, place, spellings)
    if folded in _JOKERS:
        return Slot(_JOKERS[folded], stands_for)
    return Slot(_read_tile(folded, token, place, spellings), stands_for)


def _read_tile(folded: str, token: str, place: int, spellings: Spellings) -> Tile:
    if suited := re.fullmatch(_SUITED, folded):
        suit = _SUITS[suited["suit"] or suited["suit2"]]
        rank = suited["first"] or suited["second"]
        return Tile(suit, _FIGURES.get(rank) or _number(rank, token, place))
    match = re.fullmatch(_COLOUR_FIRST, folded) or re.fullmatch(_NUMBER_FIRST, folded)
    if match is None:
        raise _unknown(token, place, spellings)
    return Tile(_colour(match["colour"], token, place, spellings), _number(match["number"], token, place))


def _number(text: str, token: str, place: int) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", text) or int(text) > TOP_NUMBER:
        raise Unreadable("tiles.number", token=token, place=place, number=text, top=TOP_NUMBER)
    return int(text)


def _colour(word: str, token: str, place: int, spellings: Spellings) -> Colour:
    meanings = spellings.get(word, ())
    if len(meanings) > 1:
        named = " / ".join(_longest_name(colour, spellings) for colour in meanings)
        raise Unreadable("tiles.two_meanings", token=token, place=place, letter=word, meanings=named)
    if not meanings:
        raise _unknown(token, place, spellings)
    return meanings[0]


def _longest_name(colour: Colour, spellings: Spellings) -> str:
    """The colour by letter and a word, so that both meanings of a letter can be told apart."""
    words = [word for word, meanings in spellings.items() if meanings == (colour,)]
    return f"{colour.value} ({max(words, key=len)})"


def _unknown(token: str, place: int, spellings: Spellings) -> Unreadable:
    return Unreadable("tiles.unknown", token=token, place=place, nearest=_nearest(_folded(token), spellings))


def _torn(fault: Unreadable, tokens: list[str], place: int, spellings: Spellings) -> Unreadable:
    """The fault with the tile that a token and its neighbours make together, where only spaces lie between them."""
    if fault.code != "tiles.unknown":
        return fault
    token = tokens[place - 1]
    first = place - 1 if token.startswith("=") and place > 1 else place
    last = place + 1 if token.endswith("=") or "=" not in token else place
    parts = tokens[first - 1 : last]
    try:
        tile, *more = _read_token("".join(parts), first, spellings)
    except Unreadable:
        return fault
    return fault if more else Unreadable("tiles.unknown", token=" ".join(parts), place=first, nearest=str(tile))


def _nearest(folded: str, spellings: Spellings) -> str:
    from difflib import get_close_matches

    if re.fullmatch(_WITHOUT_SPACES, folded):
        parts = re.findall(r"[^\W\d_]+[0-9]+", folded)
        return " ".join(_nearest(part, spellings) for part in parts)
    if ends := re.fullmatch(_TWO_ENDS, folded):
        low, high = sorted((int(ends["from"]), int(ends["to"])))
        if 0 < low < high <= TOP_NUMBER:
            return f"{_nearest(ends['colour'] + str(low), spellings)}-{high}"
    if folded in _JOKER_SIGNS:
        return str(Joker())
    known = {f"{word}{n}": f"{c[0]}{n}" for word, c in spellings.items() if len(c) == 1 for n in range(1, 14)}
    known |= {word: str(piece) for word, piece in _JOKERS.items()}
    found = get_close_matches(folded, known, n=1, cutoff=0.0)
    return known[found[0]]
