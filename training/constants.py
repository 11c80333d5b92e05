"""What the networks and those who feed and read them agree on."""

CLASSES = (*(str(number) for number in range(1, 14)), "J", "F", "X", "none")
COLOURS = "RANG"
CROP = 64  # side of the reader's crop, pixels
SYMBOL = 26  # height of the symbol in it, pixels
STRIDE = 4  # pixels of the picture to a cell of the finder's maps
