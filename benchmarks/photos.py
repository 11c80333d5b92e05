"""Reads the photos of a folder with remi-ref and with RapidOCR, photo by photo in turn, and compares time and memory.

usage: python benchmarks/photos.py FOLDER [--limit N]

Each reader runs in a process of its own, so that its peak of memory is its own; both are started and warmed up before
the clock runs. Where FOLDER holds a truth.yaml (a list of {file, rows}), the share of numbers found is printed as well.
The last lines are one scan of a 12-megapixel photo by a fresh remi-ref.

    pip install -e ".[bench]"
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

READERS = ("remi-ref", "RapidOCR")
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
TWELVE_MEGAPIXELS = (4000, 3000)


def remi_ref() -> Callable[[str], list[str]]:
    """Reads a photo to tiles."""
    from remi_ref.vision.scan import load_readers, scan_photo

    readers = load_readers()
    return lambda path: [tile.text for tile in scan_photo(path, readers).tiles]


def rapid_ocr() -> Callable[[str], list[str]]:
    """Reads a photo to the numbers in whatever text it shows."""
    from rapidocr import RapidOCR

    engine = RapidOCR()

    def read(path: str) -> list[str]:
        found = engine(path)
        return [number for text in getattr(found, "txts", None) or () for number in re.findall(r"\d+", text)]

    return read


def serve(name: str) -> None:
    """The child: reads the photos named on standard input, answers each with a line of JSON."""
    read = {"remi-ref": remi_ref, "RapidOCR": rapid_ocr}[name]()
    for line in sys.stdin:
        begin = time.perf_counter()
        texts = read(line.strip())
        ms = (time.perf_counter() - begin) * 1000
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write("\n@" + json.dumps({"ms": ms, "texts": texts, "peak": peak}) + "\n")
        sys.stdout.flush()


class Child:
    """A reader in a process of its own."""

    def __init__(self, name: str) -> None:
        command = [sys.executable, __file__, "--serve", name]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def read(self, path: Path) -> dict[str, Any]:
        """Time in ms, the texts, and the peak of memory so far in MB."""
        assert self.process.stdin is not None  # noqa: S101 - both are pipes
        assert self.process.stdout is not None  # noqa: S101 - as above
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("@"):
                answer: dict[str, Any] = json.loads(line[1:])
                return answer
        raise SystemExit(f"the reader ended at {path}")

    def close(self) -> None:
        """Ends the process."""
        self.process.communicate()


def numbers(texts: Sequence[str]) -> Counter[str]:
    """Tiles or texts by their number."""
    return Counter(text.lstrip("RANG") for text in texts if text.lstrip("RANG").isdigit())


def truth_of(folder: Path) -> dict[str, Counter[str]]:
    """The numbers of each photo, where they are known."""
    path = folder / "truth.yaml"
    if not path.is_file():
        return {}
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {entry["file"]: numbers(" ".join(entry["rows"]).replace("|", " ").split()) for entry in entries}


def compare(folder: Path, photos: Sequence[Path]) -> None:
    """Both readers on the same photos, in turn."""
    truth = truth_of(folder)
    children = {name: Child(name) for name in READERS}
    times: dict[str, list[float]] = {name: [] for name in READERS}
    found: Counter[str] = Counter()
    peaks: dict[str, float] = {}
    for child in children.values():
        child.read(photos[0])
    for photo in photos:
        for name, child in children.items():
            answer = child.read(photo)
            times[name].append(answer["ms"])
            peaks[name] = answer["peak"]
            found[name] += (numbers(answer["texts"]) & truth.get(photo.name, Counter())).total()
    for child in children.values():
        child.close()
    wanted = sum(truth[photo.name].total() for photo in photos if photo.name in truth)
    for name in READERS:
        line = f"{name:9} median {statistics.median(times[name]):7.0f} ms, worst {max(times[name]):7.0f} ms a photo"
        print(
            line + f", peak {peaks[name]:5.0f} MB" + (f", numbers found {found[name] / wanted:6.1%}" if wanted else "")
        )
    ratio = statistics.median(times["RapidOCR"]) / statistics.median(times["remi-ref"])
    whole = sum(times["RapidOCR"]) / sum(times["remi-ref"])
    print(f"remi-ref is {ratio:.1f} times faster by the median, {whole:.1f} times over all {len(photos)} photos")


def twelve_megapixels(photo: Path) -> None:
    """One scan of a phone's photo, by a process that does nothing else."""
    picture = cv2.imread(str(photo))
    if picture is None:
        raise SystemExit(f"{photo}: cannot be read")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.jpg"
        cv2.imwrite(str(large), cv2.resize(picture, TWELVE_MEGAPIXELS, interpolation=cv2.INTER_CUBIC))
        child = Child("remi-ref")
        answer = child.read(large)
        child.close()
    print(f"one scan of 12 megapixels, models just loaded: {answer['ms']:.0f} ms, peak {answer['peak']:.0f} MB")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--limit", type=int, help="read only so many photos")
    parser.add_argument("--serve", choices=READERS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    if given.folder is None or not given.folder.is_dir():
        parser.error("a folder with photos is needed")
    photos = sorted(path for path in given.folder.iterdir() if path.suffix.lower() in SUFFIXES)[: given.limit]
    if not photos:
        parser.error(f"{given.folder}: no photos there")
    compare(given.folder, photos)
    twelve_megapixels(photos[0])


if __name__ == "__main__":
    main()
