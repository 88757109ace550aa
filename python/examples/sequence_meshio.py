"""Read the frames of a moving mesh with meshio, which knows many formats, and find when it touches
itself.

  sequence_meshio.py FRAME0 FRAME1 ...
"""
import sys

import fracas
import meshio
import numpy as np

frames = [meshio.read(path) for path in sys.argv[1:]]
triangles = np.concatenate([block.data for block in frames[0].cells if block.type == "triangle"])
scene = fracas.Scene()
body = scene.add(frames[0].points, triangles)
found = 0
for number, frame in enumerate(frames[1:]):
    body.move(frame.points)
    contacts = scene.detect("continuous")
    if len(contacts):
        first = contacts["toi"].min()
        print(f"from frame {number} to {number + 1}: {len(contacts)} contacts, "
              f"the first at {number + first:.3f}")
    found += len(contacts)
    scene.advance()
print(f"{len(frames)} frames, {found} contacts")
