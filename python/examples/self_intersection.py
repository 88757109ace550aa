"""Does a mesh intersect itself, and where? Takes a file, or a trimesh.Trimesh: its `vertices` and
`faces` are arrays of numpy.

  self_intersection.py FILE
"""
import sys

import fracas
import numpy as np

mesh = fracas.read(sys.argv[1])
vertices, faces = mesh.vertices, mesh.triangles  # of trimesh: mesh.vertices, mesh.faces

with fracas.Scene(modes="discrete") as scene:
    scene.add(vertices, faces)
    contacts = scene.detect("discrete")
    where = scene.intersections(contacts)

print(f"{len(contacts)} pairs of triangles in {where.place_count} places")
for place in range(min(where.place_count, 10)):
    of_place = where.places == place
    used = np.arange(6) < where.records["count"][of_place, None]
    points = where.records["points"][of_place][used]
    low, high = points.min(axis=0).round(4).tolist(), points.max(axis=0).round(4).tolist()
    print(f"  {of_place.sum()} pairs between {low} and {high};",
          f"the first: triangles {contacts.pairs[of_place][0].tolist()}")
