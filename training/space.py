"""Space: slabs (tiles, cards, boards of a rack) in the world and the camera that looks at them.

World lengths are tile widths; x goes right, y away from the player, z up from the table.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Slab:
    """A flat box: its front's top-left corner, its edges along right and down as vectors, its thickness.

    `shows` is a tile in notation, or an object's name; `tint` colours what has no picture of its own.
    """

    shows: str
    corner: Points
    right: Points
    down: Points
    thickness: float
    tint: tuple[int, int, int] = (128, 128, 128)
    is_tile: bool = True

    def front(self) -> Points:
        """The four corners of the front (4 x 3), clockwise from its own top-left."""
        return np.array(
            [self.corner, self.corner + self.right, self.corner + self.right + self.down, self.corner + self.down]
        )

    def back(self) -> Points:
        """The four corners of the back, in the order of the front."""
        return self.front() - self.normal() * self.thickness

    def normal(self) -> Points:
        """The unit vector out of the front."""
        normal = np.cross(self.down, self.right)
        return normal / max(float(np.linalg.norm(normal)), 1e-9)

    def spot(self, x: float, y: float) -> Points:
        """A point on the front, in shares of its width and height."""
        return self.corner + self.right * x + self.down * y


@dataclass(frozen=True)
class Camera:
    """A pinhole camera.

    `pitch` is 0 looking straight down and 90 degrees level; `turn` goes around the table; `roll` tilts the picture;
    `focal` is in picture widths; `size` is (width, height) in pixels.
    """

    target: Points
    distance: float
    pitch: float
    turn: float
    roll: float
    focal: float
    size: tuple[int, int]
    shift: tuple[float, float] = (0.0, 0.0)
    matrix: Points = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pitch, turn, roll = np.radians([self.pitch, self.turn, self.roll])
        out = np.array([np.sin(turn) * np.sin(pitch), -np.cos(turn) * np.sin(pitch), np.cos(pitch)])
        across = np.array([np.cos(turn), np.sin(turn), 0.0])
        lower = np.cross(across, out)
        x = across * np.cos(roll) + lower * np.sin(roll)
        y = lower * np.cos(roll) - across * np.sin(roll)
        turned = np.stack([x, y, -out])
        eye = self.target + out * self.distance
        width, height = self.size
        lens = np.array(
            [
                [self.focal * width, 0, width / 2 + self.shift[0]],
                [0, self.focal * width, height / 2 + self.shift[1]],
                [0, 0, 1],
            ]
        )
        object.__setattr__(self, "matrix", lens @ np.hstack([turned, -(turned @ eye)[:, None]]))

    def project(self, points: Points) -> Points:
        """World points (N x 3) to pixels (N x 2)."""
        flat = np.hstack([points, np.ones((len(points), 1))]) @ self.matrix.T
        return np.asarray(flat[:, :2] / np.maximum(flat[:, 2:], 1e-6))

    def depth(self, points: Points) -> Points:
        """How far in front of the camera each point lies."""
        return np.asarray(np.hstack([points, np.ones((len(points), 1))]) @ self.matrix[2])

    def table(self) -> Points:
        """The 3 x 3 map from the table's (x, y, 1) to the picture."""
        return self.matrix[:, [0, 1, 3]]


def fitted(
    points: Points, size: tuple[int, int], angles: tuple[float, float, float], focal: float, fill: float
) -> Camera:
    """The camera at given (pitch, turn, roll) whose picture is filled by the points up to a share `fill`."""
    width, height = size
    near, far = 1.0, 400.0
    camera = Camera(points.mean(axis=0), far, *angles, focal, size)
    target = points.mean(axis=0)
    for _ in range(18):
        middle = (near * far) ** 0.5
        camera = Camera(target, middle, *angles, focal, size)
        seen = camera.project(points)
        spread = (np.ptp(seen, axis=0) / (width, height)).max()
        inside = camera.depth(points).min() > 0.5 and spread <= fill
        near, far = (near, middle) if inside else (middle, far)
    camera = Camera(target, far, *angles, focal, size)
    seen = camera.project(points)
    middle_x, middle_y = (seen.min(axis=0) + seen.max(axis=0)) / 2
    return Camera(target, far, *angles, focal, size, (width / 2 - float(middle_x), height / 2 - float(middle_y)))
