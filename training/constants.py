"""What the networks and those who feed and read them agree on."""

CLASSES = (*(str(number) for number in range(1, 14)), "J", "F", "X", "none")
COLOURS = "RANG"
FEATURES = 128  # by which the reader tells classes and colours
CROP = 64  # side of the reader's crop, pixels
SYMBOL = 26  # height of the symbol in it, pixels
READABLE = {1: 0.7, 2: 0.88}  # share of a print that must show, by its digits: of a half-hidden 12 only a 2 is left
NARROWEST = 18  # pixels across a tile; seen so flat or from so far that it is less, nobody can tell what it shows
STRIDE = 4  # pixels of the picture to a cell of the finder's maps


def readable(tile: str, visible: float) -> bool:
    """Whether a tile in notation can be told from this share of its print."""
    return visible >= READABLE[2 if len(tile) > 2 else 1]
