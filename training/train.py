"""Trains the networks on rendered scenes and labelled photos.

Examples are drawn in a second process while the network learns from the last ones; the learning rate falls along a
cosine to nothing at the end of the given time.
"""

from __future__ import annotations

import multiprocessing
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.constants import CLASSES, COLOURS, FEATURES
from training.crops import reader_batch
from training.data import Sample, load_real, load_rendered
from training.inkcrops import ink_batch
from training.networks import Finder, Inks, Reader
from training.windows import finder_batch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray
    from torch import Tensor

NETWORKS: dict[str, type[nn.Module]] = {"finder": Finder, "reader": Reader, "inks": Inks}
DRAW: dict[str, Callable[..., Any]] = {"finder": finder_batch, "reader": reader_batch, "inks": ink_batch}
CHUNK = {"finder": 512, "reader": 4096, "inks": 4096}
BATCH = {"finder": 16, "reader": 128, "inks": 128}
NEAR = 0.15  # inks less apart than this are hard to tell
FRESH = 420  # seconds after which other scenes are drawn from


@dataclass(frozen=True)
class Sources:
    """Where examples come from.

    Attributes:
        photos: folder of the labelled photos.
        rendered: folder of the rendered scenes.
        leave_out: a setting of the photos to keep out, or nothing.
        most: scenes held in memory at a time (about 6 MB each).
    """

    photos: Path
    rendered: Path
    leave_out: str = ""
    most: int = 600

    def load(self, real_share: float, rng: Generator) -> tuple[list[Sample], NDArray[np.float64]]:
        """Samples and how often each is drawn: by source, and within it by the root of its number of symbols."""
        real, drawn = load_real(self.photos, self.leave_out), load_rendered(self.rendered, self.most, rng)
        weights = []
        for part, share in ((real, real_share), (drawn, 1 - real_share)):
            if part:
                sizes = np.sqrt([max(1, len(sample.symbols)) for sample in part])
                weights.append(share * sizes / sizes.sum())
        joined = np.concatenate(weights)
        return real + drawn, joined / joined.sum()


@dataclass(frozen=True)
class Course:
    """How long to train, from which learning rate down, from which seed, which share of the examples from photos.

    Attributes:
        blends: whether the weights are then the mean of those before and after it.
        networks: those that it trains.
    """

    minutes: float
    rate: float
    seed: int
    real_share: float
    blends: bool = False
    networks: tuple[str, ...] = ("finder", "reader")


def train_side_by_side(course: Course, sources: Sources, weights: dict[str, Path]) -> None:
    """Trains the networks at once, a core each; goes on from the files of their weights where they exist."""
    context = multiprocessing.get_context("spawn")
    before = {kind: torch.load(weights[kind]) for kind in course.networks if course.blends}
    runs = [
        context.Process(
            target=train, args=(kind, sources, weights[kind], course, weights[kind] if weights[kind].exists() else None)
        )
        for kind in course.networks
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    for kind, old in before.items():
        _blend(weights[kind], old)


def _blend(path: Path, old: dict[str, Tensor]) -> None:
    """Makes the weights the mean of what they are and what they were."""
    new = torch.load(path)
    mean = {name: (old[name] + new[name]) / 2 for name in new if new[name].is_floating_point()}
    torch.save({**new, **mean}, path)


def train(kind: str, sources: Sources, out: Path, course: Course, start: Path | None = None) -> None:
    """Trains one network and writes its weights, once a minute as it goes.

    Args:
        kind: one of `NETWORKS`.
        sources: of the examples.
        out: file of the weights.
        course: time, rate, seed.
        start: weights to go on from.
    """
    torch.manual_seed(course.seed)
    torch.set_num_threads(1)
    network = NETWORKS[kind]()
    if start is not None:
        network.load_state_dict(torch.load(start))
    network = network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=1e-2)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(2)
    producer = context.Process(target=_produce, args=(queue, kind, sources, course), daemon=True)
    producer.start()
    kept = [queue.get()]
    began = saved = time.monotonic()
    network.train()
    seen = 0
    while (spent := (time.monotonic() - began) / 60) < course.minutes:
        if not queue.empty():
            kept = [*kept[-2:], queue.get()]
        chunk = kept[np.random.default_rng(seen).integers(len(kept))]
        warm = 0.3 if seen < 4 * CHUNK[kind] else 1.0
        for group in optimiser.param_groups:
            group["lr"] = course.rate * warm * 0.5 * (1 + np.cos(np.pi * spent / course.minutes)) + 1e-6
        losses = _learn(kind, network, optimiser, chunk, seen)
        seen += CHUNK[kind]
        print(
            f"{kind} {spent:5.1f} min, {seen} seen: " + " ".join(f"{k} {v:.4f}" for k, v in losses.items()), flush=True
        )
        if time.monotonic() - saved > 60:
            torch.save(network.state_dict(), out)
            saved = time.monotonic()
    torch.save(network.state_dict(), out)
    producer.terminate()


def _produce(queue: Any, kind: str, sources: Sources, course: Course) -> None:  # noqa: ANN401 - a queue
    cv2.setNumThreads(1)  # the cores are few and both processes work
    rng = np.random.default_rng(course.seed)
    samples, weights = sources.load(course.real_share, rng)
    loaded = time.monotonic()
    while True:
        if time.monotonic() - loaded > FRESH:
            del samples
            samples, weights = sources.load(course.real_share, rng)
            loaded = time.monotonic()
        queue.put(DRAW[kind](samples, weights, CHUNK[kind], rng))


def _learn(kind: str, network: nn.Module, optimiser: Any, chunk: Any, seed: int) -> dict[str, float]:  # noqa: ANN401
    """One pass over a chunk in random order; gives the mean of each part of the loss."""
    order = np.random.default_rng(seed).permutation(CHUNK[kind])
    sums: dict[str, float] = {}
    steps = range(0, CHUNK[kind], BATCH[kind])
    for at in steps:
        rows = order[at : at + BATCH[kind]]
        parts = LOSSES[kind](network, chunk, rows)
        loss = sum(parts.values(), torch.zeros(()))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach()) / len(steps)
    return sums


def _seen(network: nn.Module, images: NDArray[np.uint8]) -> Tensor:
    """What the network finds in pictures (N, H, W, 3); in halves of the usual precision, which new processors like."""
    with torch.autocast("cpu", torch.bfloat16):
        found: Tensor = network(torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255)
    return found.float()


def finder_loss(network: nn.Module, chunk: Any, rows: NDArray[np.int64]) -> dict[str, Tensor]:  # noqa: ANN401
    """Focal loss on the heat, absolute errors at the centres."""
    maps = _seen(network, chunk.windows[rows])
    truth, weight = torch.from_numpy(chunk.maps[rows]), torch.from_numpy(chunk.weight[rows])
    centre = torch.from_numpy(chunk.centre[rows])
    heat, wanted = maps[:, 0], truth[:, 0]
    chance = torch.sigmoid(heat)
    peak = (wanted > 0.999).float()
    hit = peak * (1 - chance) ** 2 * functional.logsigmoid(heat)
    miss = (1 - peak) * (1 - wanted) ** 4 * chance**2 * functional.logsigmoid(-heat)
    count = peak.sum().clamp(min=1)
    error = (maps[:, 1:] - truth[:, 1:]).abs() * centre[:, None]
    spread = centre.sum().clamp(min=1)
    return {
        "heat": -((hit + miss) * weight).sum() / count,
        "height": error[:, 0].sum() / spread,
        "up": error[:, 1:3].sum() / spread,
        "offset": 0.1 * error[:, 3:].sum() / spread,
    }


def reader_loss(network: nn.Module, chunk: Any, rows: NDArray[np.int64]) -> dict[str, Tensor]:  # noqa: ANN401
    """Cross entropy of class and colour, of being upside down, absolute error of the misplacement."""
    found = _seen(network, chunk.crops[rows])
    classes, colours, upside, offsets, _ = found.split([len(CLASSES), len(COLOURS), 1, 4, FEATURES], dim=1)
    wanted_class, wanted_colour = torch.from_numpy(chunk.classes[rows]), torch.from_numpy(chunk.colours[rows])
    placed = torch.from_numpy(chunk.placed[rows])
    some = placed.sum().clamp(min=1)
    turned = functional.binary_cross_entropy_with_logits(
        upside[:, 0], torch.from_numpy(chunk.upside[rows]), reduction="none"
    )
    error = (offsets - torch.from_numpy(chunk.offsets[rows])).abs().sum(dim=1)
    colour = functional.cross_entropy(colours, wanted_colour, ignore_index=-1, label_smoothing=0.02)
    return {
        "class": functional.cross_entropy(classes, wanted_class, label_smoothing=0.02),
        "colour": colour if bool((wanted_colour >= 0).any()) else colour * 0,
        "upside": 0.5 * (turned * placed).sum() / some,
        "offset": (error * placed).sum() / some,
    }


def ink_loss(network: nn.Module, chunk: Any, rows: NDArray[np.int64]) -> dict[str, Tensor]:  # noqa: ANN401
    """How far the ink seen is off, and cross entropy of its colour among the four of its box by nearness."""
    seen, inks = _seen(network, chunk.crops[rows]), torch.from_numpy(chunk.inks[rows])
    colours = torch.from_numpy(chunk.colours[rows])
    apart = ((seen[:, None] - inks) ** 2).sum(dim=2) / (2 * NEAR**2)
    own = inks[torch.arange(len(inks)), colours]
    return {"ink": 3 * (seen - own).abs().mean(), "colour": 0.5 * functional.cross_entropy(-apart, colours)}


LOSSES: dict[str, Callable[..., dict[str, Tensor]]] = {
    "finder": finder_loss,
    "reader": reader_loss,
    "inks": ink_loss,
}
