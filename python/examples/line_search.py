"""A line search as in incremental potential contact (IPC): a barrier of the distances holds a sheet
that falls onto another. No step goes beyond 0.8 of the largest safe one, or up in energy."""
from typing import Any

import fracas
import numpy as np

REACH, STIFFNESS, WEIGHT = 0.05, 0.1, 0.012  # where the barrier begins; per vertex


def sheet(n: int, z: float, size: float) -> tuple[Any, Any]:
    x, y = np.meshgrid(*2 * [np.linspace(-size, size, n + 1)])
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([corner[:, None] + [0, 1, n + 2], corner[:, None] + [0, n + 2, n + 1]])
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)]), faces


def energy_and_force(x: Any) -> tuple[float, Any]:
    body.move(x)
    near = scene.nearby(REACH).of_kind("vf")  # a vertex of one sheet near a face of the other
    d = near["distance"][:, None]
    push = STIFFNESS * (d - REACH) * (2 * np.log(d / REACH) + (d - REACH) / d) * near["normal"]
    force = np.tile([0.0, 0.0, -WEIGHT], (len(x), 1))
    falls = near["body_a"]["index"] == body.index  # the normal points to the vertex
    np.add.at(force, near["a"][falls, 0], push[falls])
    corners = faces[near["b"][~falls, 0]]
    np.add.at(force, corners.ravel(), np.repeat(-push[~falls] / 3, 3, axis=0))
    barrier = -STIFFNESS * ((d - REACH) ** 2 * np.log(d / REACH)).sum()
    return float(barrier + WEIGHT * x[:, 2].sum()), force


scene = fracas.Scene()
scene.add(sheet(8, 0.0, 0.8)[0], sheet(8, 0.0, 0.8)[1], motion="static", self_collision=False)
upper, faces = sheet(8, 0.3, 0.5)
body = scene.add(upper, faces, self_collision=False)
for iteration in range(30):
    energy, force = energy_and_force(upper)
    body.move(upper + 8 * force)
    part = min(1.0, 0.8 * scene.max_step())
    while energy_and_force(upper + part * 8 * force)[0] > energy and part > 1e-9:
        part /= 2
    upper = upper + part * 8 * force
    scene.advance()  # from where the last evaluation has moved the body
print(f"{upper[:, 2].min():.4f} above, {len(scene.detect('discrete'))} intersections")
