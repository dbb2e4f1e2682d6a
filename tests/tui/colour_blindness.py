"""How far apart two colours look, to people with each kind of colour vision, and how readable one is on another.

Colour blindness is simulated as in Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
Color Vision Deficiency" (2009), at severity 1.0. The difference is CIEDE2000 under D65: 1 is just noticeable side by
side, 10 is plain at a glance. Contrast is that of the Web Content Accessibility Guidelines (WCAG) 2.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vision = Literal["full", "protanopia", "deuteranopia", "tritanopia"]
Floats = NDArray[np.float64]

# What an eye makes of linear RGB.
_SEEN: dict[Vision, Floats] = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
VISIONS: tuple[Vision, ...] = tuple(_SEEN)
_XYZ_OF_LINEAR = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = _XYZ_OF_LINEAR.sum(axis=1)


def linear(colours: ArrayLike) -> Floats:
    """sRGB of 0..255, shape (..., 3), as linear light of 0..1."""
    share = np.asarray(colours, dtype=np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colours: ArrayLike, vision: Vision = "full") -> Floats:
    """CIE L*a*b* of sRGB colours, shape (..., 3), as an eye of this kind sees them."""
    seen = np.clip(linear(colours) @ _SEEN[vision].T, 0, 1)
    ratio = seen @ _XYZ_OF_LINEAR.T / _WHITE
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def difference(one: ArrayLike, other: ArrayLike, vision: Vision = "full") -> Floats:
    """The CIEDE2000 difference of sRGB colours, shape (..., 3) each, as an eye of this kind sees them."""
    return ciede2000(lab(one, vision), lab(other, vision))


def ciede2000(one: Floats, other: Floats) -> Floats:
    """The CIEDE2000 difference of CIE L*a*b* colours, shape (..., 3) each, in the notation of Sharma, Wu and Dalal,
    "The CIEDE2000 Color-Difference Formula: Implementation Notes, Supplementary Test Data, and Mathematical
    Observations" (2005)."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(one, -1, 0), np.moveaxis(other, -1, 0)
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7)) / 2
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = np.where(c1 * c2 == 0, 0, (h2 - h1 + 180) % 360 - 180)
    hue = np.where(c1 * c2 == 0, h1 + h2, h1 + turn / 2)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight_l = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    weight_c = 1 + 0.045 * chroma
    weight_h = 1 + 0.015 * chroma * _hue_weight(hue)
    d_l, d_c = (l2 - l1) / weight_l, (c2 - c1) / weight_c
    d_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / weight_h
    blue = 60 * np.exp(-((((hue % 360) - 275) / 25) ** 2))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(np.radians(blue))
    return np.asarray(np.sqrt(np.maximum(d_l**2 + d_c**2 + d_h**2 + rotation * d_c * d_h, 0)))


def _hue_weight(hue: Floats) -> Floats:
    cosines = (-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63)
    return np.asarray(1 + sum(share * np.cos(np.radians(times * hue + shift)) for share, times, shift in cosines))


def contrast(one: ArrayLike, other: ArrayLike) -> Floats:
    """The WCAG contrast ratio of sRGB colours, shape (..., 3) each: 1 for equal ones to 21 for black on white."""
    first, second = (linear(colour) @ np.array([0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return np.asarray((np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05))
