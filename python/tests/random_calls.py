"""Random calls with random arguments, good and bad: only the documented exceptions may come, and
what succeeded is counted. Run with the library of the preset `asan` it finds any access out of bounds.

  random_calls.py [CALLS [SEED]]
"""
import os
import sys
import tempfile

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import fracas  # noqa: E402  pylint: disable=wrong-import-position

EXPECTED = (fracas.Error, TypeError, ValueError)
UNEXPECTED = (fracas.InternalError, fracas.OutOfMemoryError)


class Caller:
    """Objects to call, and random arguments for them."""

    def __init__(self, seed, folder):
        self.random = np.random.default_rng(seed)
        self.context = fracas.Context(self.pick(1, 1, 2))
        self.folder = folder
        self.scenes, self.bodies, self.volumes, self.tet_bodies, self.kept = [], [], [], [], []
        self.found = []  # candidates
        self.worlds, self.fragments, self.shapes, self.machines = [], [], [], []
        self.rigid = []  # bodies of machines
        self.counts = {}

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, part):
        return self.random.random() < part

    # ---- arguments

    def spoil(self, array):
        """Sometimes an array of another layout, type or shape, or with a bad number."""
        r = self.random
        if self.chance(0.6):
            return array
        array = np.array(array)
        change = self.pick("nan", "inf", "huge", "negative", "dtype", "order", "reverse", "stride",
                           "drop", "flat", "column", "empty", "readonly", "list", "swap", "none",
                           "object", "view")
        if array.size and array.dtype.kind in "iuf" and change in ("nan", "inf", "huge", "negative"):
            value = {"nan": np.nan, "inf": -np.inf, "huge": 1e300 if self.chance(0.02) else 1e9,
                     "negative": -3}[change]
            if array.dtype.kind in "iu":
                value = {"nan": -1, "inf": 2**31 - 1, "huge": 255, "negative": 7}[change]
            array.flat[r.integers(array.size)] = np.array(value).astype(array.dtype)
        elif change == "dtype":
            with np.errstate(all="ignore"):
                array = array.astype(self.pick("f4", "f8", "i4", "i8", "u1", "i2", "f2", ">f8",
                                               ">u4", "c16", "?", "U3", "O", "M8[s]"
                                               if array.dtype.kind in "iu" else "f8"))
        elif change == "order":
            array = np.asfortranarray(array)
        elif change == "reverse":
            array = array[::-1]
        elif change == "stride":
            array = np.repeat(array, 2, axis=0)[::2]
        elif change == "drop":
            array = array[:-1]
        elif change == "flat":
            array = array.ravel()
        elif change == "column":
            array = array[..., :-1] if array.ndim > 1 else array
        elif change == "empty":
            array = array[:0]
        elif change == "readonly":
            array.flags.writeable = False
        elif change == "swap":
            # Another byte order; seldom without telling: numbers of all magnitudes. Pairs within a
            # distance then take up to half a second each in exact arithmetic, and a thick body has
            # hundreds: one call may take minutes.
            swapped = array.byteswap()
            array = swapped if self.chance(0.01) else swapped.view(array.dtype.newbyteorder())
        elif change == "view":
            wide = np.zeros((len(array), 5), array.dtype)
            if array.ndim == 2 and array.shape[1] <= 4:
                wide[:, 1:1 + array.shape[1]] = array
                array = wide[:, 1:1 + array.shape[1]]
        elif change in ("list", "none", "object"):
            return {"list": array.tolist(), "none": None, "object": object()}[change]
        return array

    def mesh(self):
        count = int(self.random.integers(1, 12))
        v = np.round(4 * self.random.random((3 * count, 3)), 2)
        f = self.random.integers(0, 3 * count, (count, 3)).astype(np.uint32)
        if self.chance(0.7):
            f = np.arange(3 * count, dtype=np.uint32).reshape(-1, 3)
        return v, f

    def volume(self):
        count = int(self.random.integers(1, 6))
        v = np.round(4 * self.random.random((4 * count, 3)), 2)
        return v, np.arange(4 * count, dtype=np.uint32).reshape(-1, 4)

    def index(self):
        return self.pick(0, 1, 2, 5, -1, 2**32, 2**31, 10**30, 1.5, None, "a", np.int64(1))

    def pose(self):
        if self.chance(0.2):
            return self.pick(None, 3, "pose", np.eye(3), np.full((4, 4), np.nan), ([1], [2]))
        pose = np.eye(4)
        pose[:3, 3] = self.random.random(3)
        return self.spoil(pose) if self.chance(0.2) else pose

    def real(self):
        return self.pick(0.0, 0.1, 1e-6, 1.0, -1.0, float("nan"), float("inf"), "x", None, 10**400)

    def scene(self):
        self.scenes = [scene for scene in self.scenes if not scene.closed or self.chance(0.5)]
        if not self.scenes or self.chance(0.01):
            self.scenes.append(fracas.Scene(context=self.context,
                                            modes=self.pick("both", "both", "discrete", 2)))
        if len(self.scenes) > 4:
            self.scenes.pop(0)
        return self.pick(*self.scenes)

    def progress(self):
        """How often C calls it must not change the random numbers that follow."""
        limit = self.pick(0.1, 0.7, 2, 2)
        return lambda fraction: fraction < limit

    def body(self):
        return self.pick(*self.bodies[-12:]) if self.bodies and not self.chance(0.02) \
            else self.pick(None, 1, "body")

    # ---- calls

    def add(self):
        v, f = self.mesh()
        kind = self.pick("deforming", "rigid", "static", "deforming", 9)
        edges = self.spoil(self.random.integers(0, 8, (3, 2))) if self.chance(0.2) else None
        points = self.spoil(self.random.integers(0, 8, 2)) if self.chance(0.2) else None
        self.bodies.append(self.scene().add(self.spoil(v), self.spoil(f), edges=edges,
                                            points=points, motion=kind, pose=self.pose()
                                            if self.chance(0.3) else None,
                                            group=self.index() if self.chance(0.1) else 1))

    def move(self):
        body = self.body()
        self.scene_of(body).move(body, self.spoil(
            4 * self.random.random((body.info.vertex_numbers, 3))))

    def scene_of(self, body):
        return body.scene if isinstance(body, fracas.Body) and not self.chance(0.02) \
            else self.scene()

    def move_pose(self):
        body = self.body()
        self.scene_of(body).pose(body, self.pose(), self.pick(None, self.pose()))

    def move_many(self):
        scene = self.scene()
        own = [body for body in self.bodies[-12:] if body.scene is scene]
        scene.move_many([(body, self.pose() if self.chance(0.3) else self.spoil(
            self.random.random((body.info.vertex_numbers, 3)))) for body in own])

    def remove(self):
        body = self.body()
        self.scene_of(body).remove(body)

    def split(self):
        body = self.body()
        count = body.info.triangle_numbers
        labels = self.random.integers(0, 3, count)
        self.bodies += self.scene_of(body).split(body, self.spoil(labels))

    def merge(self):
        scene = self.scene()
        own = [body for body in self.bodies[-6:] if body.scene is scene]
        welds = self.random.integers(0, 3, (2, 4)) if self.chance(0.5) else []
        scene.merge(own[:self.pick(1, 2, 3)], self.spoil(welds))

    def advance(self):
        self.scene().advance()

    def update(self):
        self.scene().update(progress=self.pick(None, self.progress(), 7))

    def detect(self):
        contacts = self.scene().detect(self.pick("both", "discrete", "continuous", 3, "x"),
                                       first=self.chance(0.2), siblings=self.pick(0, 1, 2, "ignore"),
                                       tolerance=self.pick(1e-6, 0.5, self.real()),
                                       min_separation=self.pick(0.0, 0.1, self.real()))
        self.kept.append((contacts, contacts.tobytes()))

    def nearby(self):
        self.scene().nearby(self.pick(0.1, 0.5, self.real()))

    def max_step(self):
        self.scene().max_step(tolerance=self.pick(1e-6, self.real()))

    def where(self):
        scene = self.scene()
        contacts = scene.detect("discrete")
        if self.chance(0.3) and len(contacts):
            contacts = np.array(contacts)
            field = self.pick("a", "b", "kind", "body_a")
            flat = contacts[field]["index"] if field == "body_a" else contacts[field]
            flat[self.random.integers(len(contacts))] = self.pick(0, 7, 2**32 - 1)
        elif self.chance(0.2):
            contacts = self.spoil(contacts[["kind", "toi"]])
        found = scene.intersections(contacts)
        assert len(found.records) == len(contacts)
        scene.find_inside(contacts)

    def candidates(self):
        if self.chance(0.5) or not self.found:
            self.found.append(self.scene().candidates(self.pick(0.1, 1.0, self.real())))
        found = self.pick(*self.found[-3:])
        self.pick(found.detect, found.max_step, found.__len__)()

    def safe(self):
        scene = self.scene()
        own = [body for body in self.bodies[-8:] if body.scene is scene or self.chance(0.02)]
        for body, array in zip(own, scene.safe_distances(self.pick(0.5, 1.0, self.real()), own)):
            assert len(array) == body.info.vertex_numbers and np.isfinite(array).all()

    def filters(self):
        scene = self.scene()
        own = [body for body in self.bodies[-6:] if body.scene is scene]
        scene.set_filter(
            rings=self.pick(0, 1, 2, self.index()), rest_distance=self.pick(0.0, 0.3, self.real()),
            rest_shapes={body: self.spoil(self.random.random((body.info.vertex_numbers, 3)))
                         for body in own[:2]},
            vertex_pairs=[(own[0], self.index(), own[-1], 1)] if own and self.chance(0.3) else [])
        if self.chance(0.5):
            scene.set_filter()

    def thickness(self):
        self.body().thickness = self.pick(0.0, 0.01, self.real())

    def places(self):
        scene = self.scene()
        contacts = self.pick(scene.detect, lambda: scene.nearby(0.3))()
        if self.chance(0.3) and len(contacts):
            contacts = np.array(contacts)
            contacts[self.pick("a", "b", "u", "toi", "kind")][0] = self.pick(0, 7, 2**32 - 1)
        assert len(scene.places(contacts, at_end=self.chance(0.5))) == len(contacts)

    def stream(self):
        scene = self.scene()
        blocks = self.pick(1, 10, 100, 1000, 1000, 1000, self.pick(0, -1, "a"))
        progress = self.pick(None, None, self.progress())
        stream = scene.stream(self.pick("both", "both", 1, "continuous", 3, "x"),
                              max_contacts=self.pick(0, 0, 40), block_contacts=blocks,
                              progress=progress) if self.chance(0.6) else \
            scene.stream_nearby(self.pick(0.1, 0.3, self.real()), block_contacts=blocks,
                                progress=progress)
        last = self.pick(1, 2, 1000)
        for number, block in enumerate(stream):
            assert len(block) <= (blocks or 1)
            if number == last:
                break
            if self.chance(0.1):
                scene.advance()

    def rows(self):
        body = self.body()
        scene = self.scene_of(body)
        contacts = self.pick(scene.detect, lambda: scene.nearby(0.3))()
        if self.chance(0.3) and len(contacts):
            contacts = np.array(contacts)
            contacts[self.pick("a", "b", "kind")][0] = self.pick(0, 7, 2**32 - 1)
        feature = self.pick("vertex", "face", "edge", 3, "x")
        edges = self.random.integers(0, 9, (6, 2)) if feature == "edge" else None
        offsets, entries = scene.group(contacts, body, feature, edges=self.spoil(edges)
                                       if edges is not None else self.pick(None, None, [[0, 1]]))
        assert offsets[-1] == len(entries) and (not len(entries) or entries.max() < len(contacts))

    def marks(self):
        self.body().triangle_marks(self.pick("discrete", "continuous", "both", 2))

    def user(self):
        body = self.body()
        body.user = self.counts
        for other in self.scene().bodies:
            assert other.user is None or other.user is self.counts
            assert other.scene.body(other.index) == other
        self.scene().body(self.index())

    def bricks(self):
        if not self.worlds or self.chance(0.02):
            self.worlds.append(fracas.Fragments(
                field_update=self.pick("closest_point", "exact", "visit_once", 9),
                tree_update=self.pick("nearest", "first", "rebuild"), context=self.context))
        world = self.worlds[-1]
        call = self.pick("add", "pose", "pose", "plane", "plane", "sites", "labels", "detect",
                         "detect", "detect", "locate", "surface", "remove", "fix", "close")
        if call == "add" or not self.fragments:
            v, t = self.volume()
            for cell in v.reshape(-1, 4, 3):
                cell[1:] = cell[0] + 2 * np.eye(3)
            solid = fracas.Solid(self.spoil(v), self.spoil(t), grid_cells=self.pick(4, 8, 300),
                                 context=self.context)
            self.fragments.append(world.add(solid, self.pose() if self.chance(0.5) else None))
            return
        fragment = self.pick(*self.fragments[-8:])
        points = 2 * self.random.random((4, 3))
        parts = []
        if call == "pose":
            fragment.pose(self.pose())
        elif call == "plane":
            parts = fragment.break_plane(self.spoil(points[0]), self.spoil(points[1] - 1))
        elif call == "sites":
            parts = fragment.break_voronoi(self.spoil(points))
        elif call == "labels":
            labels = self.random.integers(0, 2, fragment.solid.points)
            parts = fragment.fracture(self.spoil(labels), self.pick((), [[0, 1]]),
                                      self.pick((), [self.real()]),
                                      count=self.pick(None, None, self.index()))
        elif call == "detect":
            fragment.fragments.detect(selection=self.pick("adaptive", "fixed", "all", 5),
                                      contact_count=self.pick(1, 8, self.index()),
                                      skin=self.pick(0.002, self.real()),
                                      distance=self.pick(0.0, 0.1, self.real()))
        elif call == "locate":
            fragment.locate(self.spoil(points))
        elif call == "fix":
            fragment.fix(self.chance(0.3))
        elif call == "close" and self.chance(0.1):
            world.close()
        elif call in ("surface", "remove"):
            self.pick(fragment.surface, fragment.surface, fragment.remove)()
        self.fragments += parts

    def medial(self):
        if not self.machines or self.chance(0.02):
            self.machines.append(fracas.MedialBodies(context=self.context))
        call = self.pick("mesh", "shape", "pose", "pose", "detect", "detect", "detect", "body",
                         "body", "remove", "close")
        if call == "mesh" or not self.shapes:
            spheres = self.random.random((5, 4)) / 2
            mesh = fracas.MedialMesh.of(self.spoil(spheres),
                                        self.spoil(self.random.integers(0, 5, (3, 2))),
                                        self.spoil(self.random.integers(0, 5, (2, 3))),
                                        context=self.context)
            mesh.write(os.path.join(self.folder, "a.ma"))
            self.shapes.append(fracas.MedialShape(mesh, inflation=self.pick(0.0, self.real())))
        elif call == "shape":
            v, f = self.mesh()
            self.shapes.append(fracas.MedialShape(self.spoil(v), self.spoil(f),
                                                  context=self.context))
        elif call == "body" or not self.rigid:
            self.rigid.append(self.machines[-1].add(self.pick(*self.shapes[-4:], None)))
        elif call == "detect":
            self.machines[-1].detect(selection=self.pick("all", "first", 4),
                                     broad_phase=self.pick("sweep", "cones", "none"),
                                     tolerance=self.pick(1e-4, self.real()))
        elif call == "close":
            if self.chance(0.1):
                self.machines[-1].close()
        else:
            body = self.pick(*self.rigid[-6:])
            self.pick(lambda: body.pose(self.pose(), self.pick(None, self.pose())),
                      lambda: body.pose(self.pose()), body.fix,
                      body.remove if call == "remove" else body.fix)()

    def bodies_apart(self):
        scene = self.scene()
        own = [body for body in self.bodies[-6:] if body.scene is scene]
        pairs = [(own[i], self.pick(*own)) for i in range(len(own))]
        self.pick(scene.distances, scene.depths)(pairs)

    def points_of_body(self):
        body = self.body()
        points = self.spoil(4 * self.random.random((5, 3)))
        self.pick(body.contains, body.closest_points, body.signed_distances)(points)

    def batches(self):
        kind, width = self.pick(("vf", 4), ("ee", 4), ("ve", 3), ("vv", 2), ("tt", 2))
        pairs = self.spoil(self.random.integers(0, 20, (30, width)))
        v = self.random.random((20, 3))
        if self.chance(0.5):
            fracas.distances(kind, pairs, self.spoil(v), max_distance=self.pick(0.5, self.real()),
                             context=self.context)
        else:
            fracas.impacts(kind, pairs, self.spoil(v), self.spoil(v + self.random.random((20, 3))),
                           min_separation=self.pick(0.0, 0.1, self.real()), context=self.context)

    def elements(self):
        body = self.body()
        self.pick(body.vertex, body.triangle)(self.index())

    def trace(self):
        body = self.body()
        self.scene_of(body).trace(body, self.pick("vertex", "triangle", 0, 5), self.index())

    def close(self):
        if self.chance(0.1):
            self.scene().close()

    def functions(self):
        v, f = self.mesh()
        v1 = self.spoil(v + 0.3 * self.random.random(v.shape))
        v, f = self.spoil(v), self.spoil(f)
        self.pick(lambda: fracas.self_intersections(v, f, context=self.context),
                  lambda: fracas.detect(v, v1, f, context=self.context),
                  lambda: fracas.max_step(v, v1, f, context=self.context),
                  lambda: fracas.nearby(v, f, self.real(), context=self.context),
                  lambda: fracas.describe(v, f, context=self.context))()

    def tets(self):
        if not self.volumes or self.chance(0.01):
            self.volumes.append(fracas.Tets(context=self.context, depth=self.chance(0.5)))
        tets = self.volumes[-1]
        v, t = self.volume()
        call = self.pick("add", "move", "move", "remove", "detect", "detect", "boundary")
        if call == "add":
            self.tet_bodies.append(tets.add(self.spoil(v), self.spoil(t)))
        elif call == "boundary":
            fracas.tet_boundary(self.spoil(v), self.spoil(t), context=self.context)
        elif call == "detect":
            found = tets.detect(depth=self.pick(None, None, True), inter=self.chance(0.8))
            self.kept.append((found, found.tobytes()))
        elif self.tet_bodies:
            body = self.pick(*self.tet_bodies[-5:])
            if call == "move":
                body.move(self.spoil(self.random.random((body.points, 3))))
            else:
                body.remove()

    def files(self):
        v, f = self.mesh()
        path = os.path.join(self.folder, "a.ply")
        fracas.write_ply(path, self.spoil(v), self.spoil(f), context=self.context)
        with open(path, "rb") as file:
            data = bytearray(file.read())
        if self.chance(0.7):
            for at in self.random.integers(0, len(data), 3):
                data[at] = self.random.integers(256)
        mesh = fracas.parse("a.ply", bytes(data[:self.pick(len(data), 40)]), context=self.context)
        vertices = mesh.vertices
        self.kept.append((vertices, vertices.tobytes()))

    def pairs(self):
        a = self.spoil(self.random.random((3, 3)))
        b = self.spoil(self.random.random((3, 3)))
        self.pick(lambda: fracas.triangles_intersect(a, b),
                  lambda: fracas.triangles_intersection(a, b),
                  lambda: fracas.vertex_face_impact(self.random.random(3), a, [0, 0, 0], b),
                  lambda: fracas.edge_edge_impact(self.random.random((2, 3)), np.eye(2, 3),
                                                  np.ones((2, 3)), np.eye(2, 3), self.real()))()

    def run(self, calls):
        names = ["add", "add", "add", "add", "add", "move", "move", "move", "move_pose",
                 "move_many", "remove", "split", "merge", "advance", "update", "detect", "detect",
                 "nearby", "max_step", "where", "elements",
                 "trace", "close", "functions", "tets", "tets", "files", "pairs",
                 "candidates", "candidates", "safe", "filters", "thickness", "places",
                 "bodies_apart", "points_of_body", "batches",
                 "stream", "rows", "marks", "user", "bricks", "bricks", "medial", "medial"]
        for _ in range(calls):
            name = self.pick(*names)
            try:
                getattr(self, name)()
                self.counts[name] = self.counts.get(name, 0) + 1
            except UNEXPECTED:
                raise
            except AttributeError as error:  # of what `body` gives instead of a body
                if "has no attribute" not in str(error) or "'fracas" in str(error):
                    raise
            except EXPECTED:
                pass
            if len(self.kept) > 20:
                # What an array views has not changed, whatever happened since.
                array, copy = self.kept.pop(int(self.random.integers(len(self.kept))))
                assert array.tobytes() == copy, "an array has changed"
            if len(self.bodies) > 60:
                del self.bodies[:40]


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else \
        100000 * int(os.environ.get("FRACAS_SHARE", "100")) // 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(os.environ.get("FRACAS_FUZZ_SEED", "1"))
    with tempfile.TemporaryDirectory() as folder:
        done = {}
        for begin in range(0, calls, 1000):
            caller = Caller([seed, begin], folder)
            caller.run(min(1000, calls - begin))
            for name, count in caller.counts.items():
                done[name] = done.get(name, 0) + count
    print(f"{calls} calls, {sum(done.values())} succeeded:",
          ", ".join(f"{name} {count}" for name, count in sorted(done.items())))
    # Every kind of call must also have succeeded: a test that only sees refusals tests little.
    if calls >= 1000 and (len(done) < 32 or sum(done.values()) < calls / 5):
        sys.exit("too few calls succeeded")


if __name__ == "__main__":
    main()
