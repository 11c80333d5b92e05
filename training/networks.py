"""The networks: one finds printed symbols, one straightens and reads them, one sees inks. Small, for two cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

from training.constants import CLASSES, COLOURS, FEATURES

if TYPE_CHECKING:
    from torch import Tensor


def conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A 3x3 convolution with its normalisation and a rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    """Two convolutions beside a straight path."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first, self.second = conv(width, width, 1, dilation), conv(width, width)

    def forward(self, maps: Tensor) -> Tensor:
        """Same shape in and out."""
        return maps + self.second(self.first(maps))


class Finder(nn.Module):
    """Picture (N, 3, H, W) in 0..1 to maps (N, 6, H/4, W/4).

    The maps: heat of a symbol's centre (logit), log of its height in pixels, cosine and sine of its up, and the
    centre's offset from the cell in pixels (x, y). H and W are multiples of 16.
    """

    def __init__(self, low: int = 24, middle: int = 48, high: int = 80) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, low, 2), conv(low, low))
        self.down = nn.Sequential(conv(low, middle, 2), Residual(middle))
        self.deep = nn.Sequential(conv(middle, high, 2), Residual(high), Residual(high, 2), Residual(high, 4))
        self.rise = nn.Sequential(nn.Conv2d(high, middle, 1, bias=False), nn.BatchNorm2d(middle), nn.ReLU())
        self.join = Residual(middle)
        self.lift = nn.Sequential(nn.Conv2d(middle, low, 1, bias=False), nn.BatchNorm2d(low), nn.ReLU())
        last = nn.Conv2d(32, 6, 1)
        assert last.bias is not None  # noqa: S101 - it has one unless told otherwise
        nn.init.constant_(last.bias[0], -4.0)  # few cells are centres
        self.head = nn.Sequential(conv(low, 32), last)

    def forward(self, picture: Tensor) -> Tensor:
        """As the class says."""
        fine = self.stem(picture)
        middle = self.down(fine)
        deep = self.deep(middle)
        middle = self.join(middle + functional.interpolate(self.rise(deep), scale_factor=2.0, mode="nearest"))
        fine = fine + functional.interpolate(self.lift(middle), scale_factor=2.0, mode="nearest")
        return self.head(fine)


def crop_body(*widths: int) -> nn.Sequential:
    """From crops of 64 pixels to the last of five widths on 4 x 4 places, in a row."""
    first, second, third, fourth, last = widths
    return nn.Sequential(
        conv(3, first, 2),
        conv(first, second),
        conv(second, third, 2),
        Residual(third),
        conv(third, fourth, 2),
        Residual(fourth),
        conv(fourth, last, 2),
        nn.Flatten(),
    )


class Reader(nn.Module):
    """Crops (N, 3, 64, 64) in 0..1 to rows of 17 + 4 + 1 + 4 + 128 numbers.

    In a row: logits of the classes, logits of the colours, logit of being upside down; how far the symbol is off (x
    and y in symbol heights, log of its scale, turn in radians); the features that all these are made of.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = crop_body(24, 32, 64, 96, 128)
        self.features = nn.Linear(128 * 16, FEATURES)
        self.drop = nn.Dropout(0.2)
        self.heads = nn.Linear(FEATURES, len(CLASSES) + len(COLOURS) + 1 + 4)

    def forward(self, crops: Tensor) -> Tensor:
        """As the class says."""
        features = functional.relu(self.features(self.body(crops)))
        return torch.cat([self.heads(self.drop(features)), features], dim=1)


class Inks(nn.Module):
    """Crops (N, 3, 64, 64) in 0..1 of upright numbers to the light of their ink over that of their face (N, 3, BGR)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = crop_body(16, 24, 32, 48, 48)
        self.inner = nn.Linear(48 * 16, 64)
        self.out = nn.Linear(64, 3)

    def forward(self, crops: Tensor) -> Tensor:
        """As the class says."""
        found: Tensor = self.out(functional.relu(self.inner(self.body(crops))))
        return found
