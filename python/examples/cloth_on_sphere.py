"""A cloth falls onto a sphere: position-based dynamics; every contact of a step stops the vertices
that it names. With matplotlib the last frame is drawn.

  cloth_on_sphere.py [PICTURE.png [STEPS]]
"""
import sys

import fracas
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
N = 24
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 60
GAP = 0.01


def grid(n: int) -> npt.NDArray[np.int64]:
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    return np.concatenate([corner[:, None] + [0, 1, n + 2], corner[:, None] + [0, n + 2, n + 1]])


def sphere(n: int, radius: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n + 1), np.linspace(0, np.pi, n + 1))
    return radius * np.column_stack([(np.cos(u) * np.sin(v)).ravel(),
                                     (np.sin(u) * np.sin(v)).ravel(), np.cos(v).ravel()]), grid(n)


x, y = np.meshgrid(np.linspace(-1, 1, N + 1), np.linspace(-1, 1, N + 1))
cloth = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 0.6)])
faces = grid(N)
edges = np.unique(np.sort(np.concatenate([faces[:, :2], faces[:, 1:], faces[:, ::2]])), axis=0)
lengths = np.linalg.norm(cloth[edges[:, 0]] - cloth[edges[:, 1]], axis=1)
degree = np.bincount(edges.ravel(), minlength=len(cloth))[:, None]
ball, ball_faces = sphere(20, 0.5)

scene = fracas.Scene()
scene.add(ball, ball_faces, motion="static", self_collision=False)
body = scene.add(cloth, faces)
velocity = np.zeros_like(cloth)
touched = 0
for frame in range(STEPS):
    velocity[:, 2] -= 0.01 * 1.0
    target = cloth + 0.1 * velocity
    for _ in range(10):  # edges keep their length
        d = target[edges[:, 1]] - target[edges[:, 0]]
        now = np.linalg.norm(d, axis=1)
        correction = 0.5 * d * ((now - lengths) / now)[:, None]
        change = np.zeros_like(target)
        np.add.at(change, edges[:, 0], correction)
        np.add.at(change, edges[:, 1], -correction)
        target += change / degree * 2
    # Where the step would come nearer than GAP to anything it ends before.
    safe = np.ones(len(cloth))
    for _ in range(8):
        body.move(cloth + safe[:, None] * (target - cloth))
        contacts = scene.detect(min_separation=GAP)
        if len(contacts) == 0:
            break
        touched += len(contacts)
        for kind, body_name, side in (("vf", "body_a", "a"), ("ee", "body_a", "a"),
                                      ("vf", "body_b", "b"), ("ee", "body_b", "b")):
            some = contacts.of_kind(kind)
            some = some[some[body_name]["index"] == body.index]
            index = some[side][:, 0]
            vertices = faces[index] if kind == "vf" and side == "b" else \
                index[:, None] if kind == "vf" else some[side]
            limit = np.repeat(0.9 * some["toi"][:, None], vertices.shape[1], axis=1)
            np.minimum.at(safe, vertices.ravel().astype(np.int64),
                          (safe[vertices] * limit).ravel())
    else:  # contacts remain: the whole cloth takes the largest safe step
        part = scene.max_step(min_separation=GAP)
        safe *= 0.9 * part
        body.move(cloth + safe[:, None] * (target - cloth))
    moved = safe[:, None] * (target - cloth)
    velocity, cloth = 0.99 * moved / 0.1, cloth + moved
    scene.advance()

crossings = len(scene.detect("discrete"))
print(f"{STEPS} steps, {touched} contacts; {crossings} intersections of triangles at the end")

if len(sys.argv) > 1:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    axes = plt.figure(figsize=(6, 5)).add_subplot(projection="3d")
    axes.plot_trisurf(*ball.T, triangles=ball_faces, color="tab:orange", alpha=0.5)
    axes.plot_trisurf(*cloth.T, triangles=faces, color="tab:blue", edgecolor="k", linewidth=0.1)
    axes.set_box_aspect((1, 1, 0.6))
    plt.savefig(sys.argv[1], dpi=120)
    print("the picture:", sys.argv[1])
