"""Trains the two networks on rendered scenes and labelled photos.

Examples are drawn in a second process while the network learns from the last ones; the learning rate falls along a
cosine to nothing at the end of the given time.
"""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from training.constants import CLASSES, COLOURS
from training.data import Sample, finder_batch, load_real, load_rendered, reader_batch
from training.networks import Finder, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor, nn

CHUNK = {"finder": 512, "reader": 4096}
BATCH = {"finder": 16, "reader": 128}
PEAK_RATE = {"finder": 2e-3, "reader": 2e-3}


def load_samples(photos: Path, rendered: Path, leave_out: str, real_share: float) -> tuple[list[Sample], NDArray[np.float64]]:
    """All samples and how often each is drawn: by source, and within it by its number of symbols."""
    real, drawn = load_real(photos, leave_out), load_rendered(rendered)
    weights = []
    for part, share in ((real, real_share), (drawn, 1 - real_share)):
        if part:
            sizes = np.sqrt([max(1, len(sample.symbols)) for sample in part])
            weights.append(share * sizes / sizes.sum())
    joined = np.concatenate(weights)
    return real + drawn, joined / joined.sum()


def _produce(queue: Any, kind: str, args: tuple[Path, Path, str, float], seed: int) -> None:  # noqa: ANN401 - a queue
    cv2_threads()
    samples, weights = load_samples(*args)
    draw = finder_batch if kind == "finder" else reader_batch
    rng = np.random.default_rng(seed)
    drawn = time.monotonic()
    while True:
        if time.monotonic() - drawn > 420:  # more scenes may have been rendered meanwhile
            samples, weights = load_samples(*args)
            drawn = time.monotonic()
        queue.put(draw(samples, weights, CHUNK[kind], rng))


def cv2_threads() -> None:
    """One thread each: the cores are few and both processes work."""
    import cv2

    cv2.setNumThreads(1)


def train(kind: str, args: tuple[Path, Path, str, float], out: Path, minutes: float, seed: int, start: Path | None) -> None:
    """Trains one network for so many minutes and writes its weights, once a minute as it goes."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network: nn.Module = Finder() if kind == "finder" else Reader()
    if start is not None:
        network.load_state_dict(torch.load(start))
    optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE[kind], weight_decay=1e-2)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(2)
    producer = context.Process(target=_produce, args=(queue, kind, args, seed), daemon=True)
    producer.start()
    began = saved = time.monotonic()
    network.train()
    seen, kept = 0, []
    while (spent := (time.monotonic() - began) / 60) < minutes:
        if not kept or not queue.empty():
            kept = [*kept[-2:], queue.get()]
        chunk = kept[np.random.default_rng(seen).integers(len(kept))]
        losses = _learn(kind, network, optimiser, chunk, spent / minutes, warm=seen < 4 * CHUNK[kind])
        seen += CHUNK[kind]
        print(f"{kind} {spent:5.1f} min, {seen} seen: " + " ".join(f"{k} {v:.4f}" for k, v in losses.items()), flush=True)
        if time.monotonic() - saved > 60:
            torch.save(network.state_dict(), out)
            saved = time.monotonic()
    torch.save(network.state_dict(), out)
    producer.terminate()


def _learn(kind: str, network: nn.Module, optimiser: Any, chunk: Any, done: float, *, warm: bool) -> dict[str, float]:  # noqa: ANN401
    rate = PEAK_RATE[kind] * (0.5 * (1 + np.cos(np.pi * min(1.0, done)))) * (0.3 if warm else 1.0) + 1e-6
    for group in optimiser.param_groups:
        group["lr"] = rate
    order = np.random.default_rng(int(done * 1e6)).permutation(CHUNK[kind])
    sums: dict[str, float] = {}
    steps = range(0, CHUNK[kind], BATCH[kind])
    for at in steps:
        rows = order[at : at + BATCH[kind]]
        parts = finder_loss(network, chunk, rows) if kind == "finder" else reader_loss(network, chunk, rows)
        loss = sum(parts.values())
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value) / len(steps)
    return sums


def _pictures(images: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255


def finder_loss(network: nn.Module, chunk: Any, rows: NDArray[np.int64]) -> dict[str, Tensor]:  # noqa: ANN401
    """Focal loss on the heat, absolute errors at the centres."""
    maps = network(_pictures(chunk.windows[rows]))
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
    found = network(_pictures(chunk.crops[rows]))
    classes, colours, upside, offsets = found.split([len(CLASSES), len(COLOURS), 1, 4, 128], dim=1)[:4]
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
